package com.example.points;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import com.auth0.jwt.exceptions.JWTVerificationException;
import com.auth0.jwt.interfaces.DecodedJWT;
import com.auth0.jwt.interfaces.JWTVerifier;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Authenticates callers by the customer's JWT, the platform's service token or the microsite's Basic credentials. */
@Component
class Tokens {
    private static final String ISSUER = "client";
    private static final String AUDIENCE = "rewards-platform";
    private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +([!-~]+)");
    private static final Pattern BASIC = Pattern.compile("(?i:Basic) +([A-Za-z0-9+/=]+)");

    private final Settings settings;
    private final Algorithm algorithm;
    private final JWTVerifier verifier;

    Tokens(Settings settings) {
        this.settings = settings;
        String secret = settings.jwtSecret().isEmpty() ? UUID.randomUUID() + "" + UUID.randomUUID() : settings.jwtSecret();
        algorithm = Algorithm.HMAC256(secret);
        verifier = JWT.require(algorithm).withIssuer(ISSUER).withAudience(AUDIENCE).build();
    }

    /** Signs a JWT for a customer. */
    String sign(String uid) {
        Instant now = Instant.now();
        return JWT.create()
                .withIssuer(ISSUER)
                .withAudience(AUDIENCE)
                .withSubject(uid)
                .withIssuedAt(now)
                .withExpiresAt(now.plusSeconds(settings.tokenSeconds()))
                .withJWTId(UUID.randomUUID().toString())
                .sign(algorithm);
    }

    /** Returns the customer of a JWT, or empty for the platform. */
    Optional<String> customerOrPlatform(String authorization) {
        String token = bearer(authorization);
        return same(token, settings.serviceToken()) ? Optional.empty() : Optional.of(subject(token));
    }

    void platform(String authorization) {
        if (!same(bearer(authorization), settings.serviceToken())) throw Refused.tokenInvalid();
    }

    void microsite(String authorization) {
        String expected = settings.basicUser() + ":" + settings.basicPassword();
        Matcher matcher = BASIC.matcher(authorization);
        if (!matcher.matches() || !same(decoded(matcher.group(1)), expected)) {
            throw new Refused(401, "Missing or invalid Basic credentials");
        }
    }

    private String subject(String token) {
        try {
            DecodedJWT jwt = verifier.verify(token);
            // The verifier still accepts a token in the second in which it expires.
            if (jwt.getExpiresAtAsInstant().isAfter(Instant.now())) return jwt.getSubject();
        } catch (JWTVerificationException error) {
            throw Refused.tokenInvalid();
        }
        throw Refused.tokenInvalid();
    }

    private static String bearer(String authorization) {
        Matcher matcher = BEARER.matcher(authorization);
        if (!matcher.matches()) throw Refused.tokenInvalid();
        return matcher.group(1);
    }

    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    /** Compares secrets in a time that depends only on the length of the given one. */
    static boolean same(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }
}
