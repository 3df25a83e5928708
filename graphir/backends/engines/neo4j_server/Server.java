import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;
import org.neo4j.io.ByteUnit;

/** An embedded Neo4j that listens for Bolt on 127.0.0.1 and stops when its standard input ends. Arguments: folder, port (0: any). */
final class Server {
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        if (port == 0) {
            try (var probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = probe.getLocalPort();
            }
        }
        var address = new SocketAddress("127.0.0.1", port);
        var service = new DatabaseManagementServiceBuilder(Path.of(arguments[0]))
                .setConfig(GraphDatabaseSettings.auth_enabled, false)
                .setConfig(GraphDatabaseSettings.pagecache_memory, ByteUnit.mebiBytes(64))
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, address)
                .setConfig(BoltConnector.advertised_address, address)
                .build();
        System.out.println("listening bolt://127.0.0.1:" + port);
        while (System.in.read() >= 0) {
            continue;
        }
        service.shutdown();
    }
}
