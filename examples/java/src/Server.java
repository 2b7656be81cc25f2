import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The HTTP server: settings, requests, replies and graceful shutdown. */
public final class Server {
    private static final int MOST_BYTES = 64 * 1024;
    private static final Map<Integer, String> NAMES = Map.of(
            400, "Bad Request",
            401, "Unauthorized",
            404, "Not Found",
            405, "Method Not Allowed",
            413, "Payload Too Large",
            415, "Unsupported Media Type",
            422, "Unprocessable entity",
            500, "Internal Server Error",
            503, "Service Unavailable");

    private final HttpServer http;
    private final Map<String, Operations.Operation> byPath;
    private final AtomicInteger underWay = new AtomicInteger();

    /** Creates the server and starts listening. {@code env} contains the settings that the README lists. */
    Server(int port, Map<String, String> env) throws IOException {
        for (String name : List.of("SERVICE_TOKEN", "BASIC_USER", "BASIC_PASSWORD")) {
            if (setting(env, name, "").isEmpty()) {
                throw new IllegalArgumentException("Set " + name + ": the README explains it.");
            }
        }
        String projectCode = setting(env, "PROJECT_CODE", "DEMO01");
        String jwtSecret = setting(env, "JWT_SECRET", UUID.randomUUID().toString() + UUID.randomUUID());
        Tokens tokens = new Tokens(env.get("SERVICE_TOKEN"), env.get("BASIC_USER"), env.get("BASIC_PASSWORD"), jwtSecret);
        Otp.MessageGateway gateway = new Otp.MessageGateway(
                setting(env, "MESSAGE_GATEWAY_URL", ""), setting(env, "MESSAGE_GATEWAY_AUTHORIZATION", ""));
        Otp otps = new Otp(Integer.parseInt(setting(env, "OTP_LIMIT", "5")));
        byPath = new Operations(new Ledger(projectCode), tokens, otps, gateway, projectCode).byPath();
        // Send replies without delay, and limit the time in which a request must arrive.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxReqTime", "15");
        http = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 128);
        http.setExecutor(Executors.newFixedThreadPool(64));
        http.createContext("/", this::handle);
        http.start();
    }

    int port() {
        return http.getAddress().getPort();
    }

    /** Waits up to ten seconds for calls in progress, and stops. */
    void stop() {
        try {
            for (int waits = 0; underWay.get() > 0 && waits < 1000; waits++) {
                Thread.sleep(10);
            }
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        http.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        underWay.incrementAndGet();
        try (exchange) {
            try {
                write(exchange, 200, answer(exchange));
            } catch (Refused refused) {
                if (refused.status == 401) {
                    exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"client\"");
                }
                write(exchange, refused.status, envelope(refused.status, refused.getMessage()));
            } catch (RuntimeException error) {
                error.printStackTrace();
                write(exchange, 500, envelope(500, "Internal error"));
            }
        } finally {
            underWay.decrementAndGet();
        }
    }

    private Map<String, Object> answer(HttpExchange exchange) throws IOException {
        byte[] body = read(exchange.getRequestBody());
        Operations.Operation operation = byPath.get(exchange.getRequestURI().getRawPath());
        if (operation == null) {
            throw new Refused(404, "Not found");
        }
        if (!exchange.getRequestMethod().equals(operation.method())) {
            exchange.getResponseHeaders().set("Allow", operation.method());
            throw new Refused(405, "Method not allowed");
        }
        // Check the token before the body, so that callers without one learn nothing about the rest.
        Tokens.Caller caller = operation.caller().apply(authorization(exchange));
        Map<String, Object> values = operation.hasBody()
                ? parse(body, exchange.getRequestHeaders().getFirst("Content-Type"))
                : query(exchange.getRequestURI().getRawQuery());
        return operation.run().apply(caller, values);
    }

    /**
     * Returns the body. Cuts a body over the limit after {@code MOST_BYTES + 1} bytes, so that its size is detectable.
     * Drops the excess, so that the caller receives the error reply.
     */
    private static byte[] read(InputStream in) throws IOException {
        byte[] body = in.readNBytes(MOST_BYTES + 1);
        in.transferTo(OutputStream.nullOutputStream());
        return body;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> parse(byte[] body, String contentType) {
        if (body.length > MOST_BYTES) {
            throw new Refused(413, "Request body is larger than 64 KiB");
        }
        if (body.length == 0 && contentType == null) {
            throw Refused.mandatory();
        }
        if (contentType == null || !contentType.split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw new Refused(415, "Content-Type must be application/json");
        }
        if (body.length == 0) {
            throw Refused.mandatory();
        }
        Object value;
        try {
            value = Json.read(new String(body, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException error) {
            throw new Refused(400, "Invalid request: the body is not well-formed JSON");
        }
        if (value instanceof Map) {
            return (Map<String, Object>) value;
        }
        throw Refused.mandatory();
    }

    private static Map<String, Object> query(String raw) {
        Map<String, Object> values = new HashMap<>();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            if (parts.length == 2) {
                values.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
        }
        return values;
    }

    private static String authorization(HttpExchange exchange) {
        List<String> values = exchange.getRequestHeaders().getOrDefault("Authorization", List.of());
        // With two Authorization headers, the intended one is ambiguous.
        return values.size() == 1 ? values.get(0) : "";
    }

    private static Map<String, Object> envelope(int status, String message) {
        String name = NAMES.get(status);
        String kind = status == 422 ? "UnprocessableEntity" : name.replace(" ", "");
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", name);
        data.put("message", message);
        data.put("code", 0);
        data.put("status", status);
        data.put("type", kind + "HttpException");
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("success", false);
        body.put("status", status);
        body.put("data", data);
        return body;
    }

    private static void write(HttpExchange exchange, int status, Map<String, Object> body) throws IOException {
        byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String setting(Map<String, String> env, String name, String otherwise) {
        String value = env.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }

    public static void main(String[] args) throws IOException {
        Server server;
        try {
            server = new Server(Integer.parseInt(setting(System.getenv(), "PORT", "8080")), System.getenv());
        } catch (IllegalArgumentException error) {
            System.err.println(error.getMessage());
            System.exit(1);
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop();
            // Java would exit with 143 after SIGTERM, although this shutdown is graceful.
            Runtime.getRuntime().halt(0);
        }));
        System.out.println("listening on http://127.0.0.1:" + server.port());
    }
}
