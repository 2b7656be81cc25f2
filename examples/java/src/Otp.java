import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Creates, sends and verifies one-time passwords. */
final class Otp {
    static final int OTP_SECONDS = 300;
    private static final int MOST_TRIES = 5;
    private static final Duration WINDOW = Duration.ofMinutes(10);

    /** A new code and its reference. */
    record Made(String code, String reference) {}

    private static final class Newest {
        final Made made;
        final Instant until;
        /** Times at which codes were sent to the customer since the last sign-in. */
        List<Instant> sent;
        int tries;
        boolean used;

        Newest(Made made, Instant until, List<Instant> sent) {
            this.made = made;
            this.until = until;
            this.sent = sent;
        }
    }

    private final int limit;
    private final SecureRandom random = new SecureRandom();
    /** The newest code of each customer. Older codes are invalid. */
    private final Map<String, Newest> newest = new HashMap<>();

    /**
     * @param limit maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no limit
     */
    Otp(int limit) {
        this.limit = limit;
    }

    /** Creates a code that replaces the customer's previous one. */
    synchronized Made make(String uid) {
        Instant now = Instant.now();
        List<Instant> sent = new ArrayList<>();
        if (newest.containsKey(uid)) {
            newest.get(uid).sent.stream().filter(at -> at.isAfter(now.minus(WINDOW))).forEach(sent::add);
        }
        if (limit > 0 && sent.size() >= limit) {
            throw new Refused(422, "Too many OTP requests. Try again later.");
        }
        if (limit > 0) {
            sent.add(now);
        }
        Made made = new Made(String.format("%06d", random.nextInt(1_000_000)), UUID.randomUUID().toString());
        newest.put(uid, new Newest(made, now.plusSeconds(OTP_SECONDS), sent));
        return made;
    }

    /** Verifies and consumes a code. Refuses every code except the customer's newest with this reference. */
    synchronized void use(String uid, String code, String reference) {
        Newest otp = newest.get(uid);
        if (otp == null || !otp.made.reference.equals(reference)) {
            throw new Refused(422, "Unknown reference_id.");
        }
        if (otp.used) {
            throw new Refused(422, "OTP has already been used.");
        }
        if (otp.tries >= MOST_TRIES) {
            throw new Refused(422, "Too many attempts for this OTP. Request a new one.");
        }
        otp.tries++;
        if (!Instant.now().isBefore(otp.until)) {
            throw new Refused(422, "OTP has expired.");
        }
        if (!Tokens.same(code, otp.made.code)) {
            throw new Refused(422, "Incorrect OTP.");
        }
        otp.used = true;
        otp.sent = List.of();
    }

    /** Sends SMS through the gateway at the given address, or prints them if there is none. */
    static final class MessageGateway {
        private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final String url;
        private final String authorization;

        MessageGateway(String url, String authorization) {
            this.url = url;
            this.authorization = authorization;
        }

        void send(String to, String text, String customerId, String referenceId) {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("channel", "sms");
            message.put("to", to);
            message.put("text", text);
            message.put("customer_id", customerId);
            message.put("reference_id", referenceId);
            String body = Json.write(message);
            if (url.isEmpty()) {
                System.out.println("message " + body);
                return;
            }
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                    .timeout(Duration.ofSeconds(5))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body));
            if (!authorization.isEmpty()) {
                request.header("Authorization", authorization);
            }
            String problem;
            try {
                int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
                if (status / 100 == 2) {
                    return;
                }
                problem = "it answered " + status;
            } catch (IOException error) {
                problem = error.toString();
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
                problem = "the server is stopping";
            }
            System.err.println("The message gateway did not take a message: " + problem);
            throw new Refused(503, "Temporarily unavailable");
        }
    }
}
