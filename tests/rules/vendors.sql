CREATE TABLE person (id int PRIMARY KEY, name varchar(10), age int);
CREATE TABLE car (id int PRIMARY KEY, price int, color varchar(10));
CREATE TABLE knows (id int PRIMARY KEY, src int REFERENCES person (id), dst int REFERENCES person (id), since int);
CREATE TABLE owns (id int PRIMARY KEY, person int REFERENCES person (id), car int REFERENCES car (id));
CREATE TABLE heap (a int, b varchar(10));
CREATE VIEW old AS SELECT * FROM person;
CREATE PROPERTY GRAPH quoted VERTEX TABLES (person PROPERTIES (id, name AS "fullName") LABEL "Human");
CREATE PROPERTY GRAPH g
  VERTEX TABLES (person, car)
  EDGE TABLES (
    knows SOURCE KEY (src) REFERENCES person (id) DESTINATION KEY (dst) REFERENCES person (id),
    owns SOURCE KEY (person) REFERENCES person (id) DESTINATION KEY (car) REFERENCES car (id)
  );
