package com.example.points;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Creates and verifies one-time passwords. Only the newest one of a customer is valid. */
@Repository
@Transactional(noRollbackFor = Refused.class)
class OneTimePasswords {
    static final int SECONDS = 300;
    private static final int MAX_TRIES = 5;
    private static final Duration WINDOW = Duration.ofMinutes(10);

    /** A new code and its reference. */
    record Made(String code, String reference) {}

    private record Stored(String digest, long madeAt, int tries, boolean used) {}

    private final SecureRandom random = new SecureRandom();
    private final JdbcClient jdbc;
    private final Settings settings;

    OneTimePasswords(JdbcClient jdbc, Settings settings) {
        this.jdbc = jdbc;
        this.settings = settings;
    }

    /** Creates a code that replaces the customer's previous one. */
    Made make(String uid) {
        long now = System.currentTimeMillis();
        jdbc.sql("SELECT uid FROM customer WHERE uid = ? FOR UPDATE").param(uid).query(String.class).single();
        long recent = jdbc.sql("""
                SELECT count(*) FROM one_time_password WHERE uid = :uid AND made_at > :from
                AND id > (SELECT coalesce(max(id), 0) FROM one_time_password WHERE uid = :uid AND used)""")
                .param("uid", uid)
                .param("from", now - WINDOW.toMillis())
                .query(Long.class)
                .single();
        if (settings.otpLimit() > 0 && recent >= settings.otpLimit()) {
            throw new Refused("Too many OTP requests. Try again later.");
        }
        Made made = new Made(String.format("%06d", random.nextInt(1_000_000)), UUID.randomUUID().toString());
        jdbc.sql("INSERT INTO one_time_password (reference, uid, digest, made_at) VALUES (?, ?, ?, ?)")
                .params(made.reference, uid, digest(made.code, made.reference), now)
                .update();
        return made;
    }

    /** Verifies and consumes a code. Refuses every code except the customer's newest with this reference. */
    void use(String uid, String code, String reference) {
        Stored stored = jdbc.sql("""
                SELECT digest, made_at, tries, used FROM one_time_password WHERE uid = :uid AND reference = :reference
                AND id = (SELECT max(id) FROM one_time_password WHERE uid = :uid) FOR UPDATE""")
                .param("uid", uid)
                .param("reference", reference)
                .query(Stored.class)
                .optional()
                .orElseThrow(() -> new Refused("Unknown reference_id."));
        if (stored.used) throw new Refused("OTP has already been used.");
        if (stored.tries >= MAX_TRIES) throw new Refused("Too many attempts for this OTP. Request a new one.");
        jdbc.sql("UPDATE one_time_password SET tries = tries + 1 WHERE reference = ?").param(reference).update();
        if (System.currentTimeMillis() >= stored.madeAt + SECONDS * 1000L) throw new Refused("OTP has expired.");
        if (!Tokens.same(digest(code, reference), stored.digest)) throw new Refused("Incorrect OTP.");
        jdbc.sql("UPDATE one_time_password SET used = TRUE WHERE reference = ?").param(reference).update();
    }

    private static String digest(String code, String reference) {
        try {
            byte[] text = (reference + " " + code).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }
}
