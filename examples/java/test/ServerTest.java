import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** Tests without a framework. Each starts its own server. Exits with 1 if a test fails. */
public final class ServerTest {
    private static final Map<String, String> SETTINGS =
            Map.of("SERVICE_TOKEN", "service", "BASIC_USER", "user", "BASIC_PASSWORD", "password");

    private interface Body {
        void run(ServerTest server) throws Exception;
    }

    private final Server server;
    private final HttpClient client = HttpClient.newHttpClient();

    private ServerTest(Server server) {
        this.server = server;
    }

    public static void main(String[] args) throws Exception {
        test("points are credited once for each transactionId", ServerTest::credits);
        test("a deduction is made once, and refunded once on Rejected", ServerTest::deductions);
        test("a deduction that comes after its rejection is refused", ServerTest::lateDeduction);
        test("deductions at the same time never go below zero", ServerTest::atTheSameTime);
        test("a token that does not hold is 422 Token Invalid", ServerTest::tokens);
        test("a one-time password that nobody was sent does not sign in", ServerTest::signIn);
        System.exit(0);
    }

    private static void test(String title, Body body) throws Exception {
        Server server = new Server(0, SETTINGS);
        try {
            body.run(new ServerTest(server));
            System.out.println("passed: " + title);
        } catch (AssertionError error) {
            System.out.println("FAILED: " + title + ": " + error.getMessage());
            System.exit(1);
        } finally {
            server.stop();
        }
    }

    private void credits() {
        Map<String, Object> event = new LinkedHashMap<>(Map.of(
                "uid", "CUST0001", "eventType", "DIGITAL_PAYMENT", "transactionId", "T1", "paymentAmount", "10", "points", "7"));
        equal(200, status(call("/creditPoints", event, "Bearer service")));
        equal(200, status(call("/creditPoints", event, "Bearer service")));
        event.put("points", "8");
        equal(422, status(call("/creditPoints", event, "Bearer service")));
        equal(10_007L, balance());
    }

    private void deductions() {
        equal(200, status(save("R1", 500)));
        equal(200, status(save("R1", 500)));
        equal(9_500L, balance());
        equal(200, status(report("R1", "Rejected")));
        equal(200, status(report("R1", "Rejected")));
        equal(10_000L, balance());
        equal("Order already Rejected.", message(report("R1", "Delivered")));
    }

    private void lateDeduction() {
        equal("Unknown redeemCode.", message(report("R2", "Rejected")));
        equal("Order already Rejected.", message(save("R2", 1)));
        equal(10_000L, balance());
    }

    private void atTheSameTime() {
        long successes = IntStream.range(0, 20).parallel().filter(number -> status(save("R" + number, 1_000)) == 200).count();
        equal(10L, successes);
        equal(0L, balance());
    }

    private void tokens() {
        for (String authorization : new String[] {"x", "Bearer x", "Bearer a.b.c"}) {
            Map<?, ?> reply = call("/getProfileAndPoints?uid=CUST0001", Map.of(), authorization);
            equal(422, status(reply));
            equal("Token Invalid", message(reply));
        }
    }

    private void signIn() {
        Map<String, Object> body = Map.of("customer_id", "CUST0001", "otp", "000000", "reference_id", "x");
        equal(422, status(call("/api/v1/auth/verify-otp", body, "Basic dXNlcjpwYXNzd29yZA==")));
        equal(401, status(call("/api/v1/auth/verify-otp", body, "Basic x")));
    }

    private long balance() {
        Map<?, ?> reply = call("/getProfileAndPoints?uid=CUST0001", Map.of(), "Bearer service");
        return (Long) ((Map<?, ?>) reply.get("points")).get("balance");
    }

    private Map<?, ?> save(String redeemCode, int points) {
        String total = String.valueOf(points);
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("uid", "CUST0001");
        record.put("scheme", "DEMO01");
        record.put("redeemCode", redeemCode);
        record.put("productCode", "EGV-1");
        record.put("productName", "Voucher");
        record.put("quantity", "1");
        record.put("redeemStatus", "pending");
        for (String name : new String[] {"shippingAddress", "email", "mobileNo"}) {
            record.put(name, "");
        }
        for (String name : new String[] {"redeemPoints", "totalpoints", "totalPointWithProcessingFee"}) {
            record.put(name, total);
        }
        for (String name : new String[] {"processingFee", "tdsSingleItem"}) {
            record.put(name, "0");
        }
        return call("/saveRedeemDetails", record, "Bearer service");
    }

    private Map<?, ?> report(String redeemCode, String status) {
        Map<String, Object> body = Map.of(
                "redeemCode", redeemCode, "status", status, "orderStatus", status, "remark", "", "projectCode", "DEMO01");
        return call("/updateRedeemStatus", body, "Bearer service");
    }

    private Map<?, ?> call(String path, Map<String, Object> body, String authorization) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Authorization", authorization)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build();
        try {
            return (Map<?, ?>) Json.read(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (Exception error) {
            throw new AssertionError(error);
        }
    }

    /** Returns the status in the envelope. A successful getProfileAndPoints has none. */
    private static int status(Map<?, ?> reply) {
        return ((Long) reply.get("status")).intValue();
    }

    private static Object message(Map<?, ?> reply) {
        return ((Map<?, ?>) reply.get("data")).get("message");
    }

    private static void equal(Object wanted, Object got) {
        if (!Objects.equals(wanted, got)) {
            throw new AssertionError("wanted " + wanted + ", got " + got);
        }
    }
}
