CREATE TABLE Person (
  id INT64 NOT NULL, name STRING(MAX), born DATE, age INT64, tags ARRAY<STRING(MAX)>, photo BYTES(MAX)
) PRIMARY KEY (id);
CREATE TABLE Account (id INT64 NOT NULL, balance FLOAT64, opened TIMESTAMP) PRIMARY KEY (id);
CREATE TABLE Owns (person_id INT64 NOT NULL, account_id INT64 NOT NULL) PRIMARY KEY (person_id, account_id);
CREATE TABLE Transfer (id INT64 NOT NULL, from_id INT64, to_id INT64, amount INT64) PRIMARY KEY (id);
CREATE PROPERTY GRAPH Bank
  NODE TABLES (Person, Account)
  EDGE TABLES (
    Owns SOURCE KEY (person_id) REFERENCES Person (id) DESTINATION KEY (account_id) REFERENCES Account (id),
    Transfer SOURCE KEY (from_id) REFERENCES Account (id) DESTINATION KEY (to_id) REFERENCES Account (id));
