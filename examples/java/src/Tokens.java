import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic credentials. */
final class Tokens {
    static final int TOKEN_SECONDS = Integer.parseInt(System.getenv().getOrDefault("TOKEN_SECONDS", "1800"));
    private static final String ISSUER = "client";
    private static final String AUDIENCE = "rewards-platform";
    private static final String HEADER = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8));
    private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +([!-~]+)");
    private static final Pattern BASIC = Pattern.compile("(?i:Basic) +([A-Za-z0-9+/=]+)");

    /** The authenticated caller. A customer has a uid. The platform and the microsite have none. */
    record Caller(String uid) {}

    private final String serviceToken;
    private final String basic;
    private final byte[] jwtSecret;

    Tokens(String serviceToken, String basicUser, String basicPassword, String jwtSecret) {
        this.serviceToken = serviceToken;
        this.basic = basicUser + ":" + basicPassword;
        this.jwtSecret = jwtSecret.getBytes(StandardCharsets.UTF_8);
    }

    /** Signs a JWT for a customer. */
    String sign(String uid) {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", ISSUER);
        claims.put("aud", AUDIENCE);
        claims.put("sub", uid);
        claims.put("iat", now);
        claims.put("exp", now + TOKEN_SECONDS);
        claims.put("jti", UUID.randomUUID().toString());
        String signed = HEADER + "." + encode(Json.write(claims).getBytes(StandardCharsets.UTF_8));
        return signed + "." + signature(signed);
    }

    Caller customerOrService(String authorization) {
        String token = bearer(authorization);
        return same(token, serviceToken) ? new Caller(null) : new Caller(subject(token));
    }

    Caller service(String authorization) {
        if (!same(bearer(authorization), serviceToken)) {
            throw Refused.tokenInvalid();
        }
        return new Caller(null);
    }

    Caller microsite(String authorization) {
        Matcher matcher = BASIC.matcher(authorization);
        String given = "";
        if (matcher.matches()) {
            try {
                given = new String(Base64.getDecoder().decode(matcher.group(1)), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException notBase64) {
                given = "";
            }
        }
        if (!same(given, basic)) {
            throw new Refused(401, "Missing or invalid Basic credentials");
        }
        return new Caller(null);
    }

    /** Returns the customer of a valid JWT. Checks its algorithm, signature, issuer, audience and expiry. */
    private String subject(String token) {
        String[] parts = token.split("\\.", -1);
        // Accept only the header that we write, so that no token can choose its own algorithm, such as none.
        if (parts.length != 3 || !parts[0].equals(HEADER) || !same(parts[2], signature(parts[0] + "." + parts[1]))) {
            throw Refused.tokenInvalid();
        }
        Map<?, ?> claims = (Map<?, ?>) Json.read(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
        boolean ours = ISSUER.equals(claims.get("iss")) && AUDIENCE.equals(claims.get("aud"));
        if (!ours || (Long) claims.get("exp") <= Instant.now().getEpochSecond()) {
            throw Refused.tokenInvalid();
        }
        return (String) claims.get("sub");
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(jwtSecret, "HmacSHA256"));
            return encode(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String bearer(String authorization) {
        Matcher matcher = BEARER.matcher(authorization);
        if (!matcher.matches()) {
            throw Refused.tokenInvalid();
        }
        return matcher.group(1);
    }

    /** Compares secrets in constant time. */
    static boolean same(String given, String expected) {
        return MessageDigest.isEqual(digest(given), digest(expected));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
