package com.example.points;

import com.example.points.contract.client.OrderStatus;
import com.example.points.contract.client.Profile;
import com.example.points.contract.v2.Points;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Customers and their points. Each method is one transaction. It locks the row to change before it checks anything, so that concurrent
 * calls cannot interleave between the check and the booking. A refusal may have stored something, so it does not roll back.
 */
@Repository
@Transactional(noRollbackFor = Refused.class)
class Ledger {
    /** The maximum number of points that fits the text format (15 digits). */
    static final long MAX_POINTS = 999_999_999_999_999L;

    record Account(long earned, long redeemed) {
        long balance() {
            return earned - redeemed;
        }

        Points toV2() {
            return new Points(earned, balance(), redeemed);
        }
    }

    /** A redemption. If it was rejected before its deduction, it only has a state. */
    private record Redemption(String redeemCode, String uid, OrderStatus state, long points, String request) {}

    private final JdbcClient jdbc;
    private final ObjectMapper json;

    Ledger(JdbcClient jdbc, ObjectMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    Profile profile(String uid) {
        return known(jdbc.sql("SELECT * FROM customer WHERE uid = ?").param(uid).query(Profile.class).optional());
    }

    Account account(String uid) {
        String sql = "SELECT earned, redeemed FROM customer WHERE uid = ?";
        return known(jdbc.sql(sql).param(uid).query(Account.class).optional());
    }

    /** Credits points once per transactionId. A repeat must be the same event. */
    void credit(String transactionId, String uid, long points, Object event) {
        String request = text(event);
        Account account = lock(uid);
        Optional<String> before = jdbc.sql("SELECT request FROM credit WHERE transaction_id = ?")
                .param(transactionId)
                .query(String.class)
                .optional();
        if (before.isEmpty()) {
            if (account.earned() + points > MAX_POINTS) throw new Refused("The account cannot hold so many points.");
            jdbc.sql("INSERT INTO credit (transaction_id, request) VALUES (?, ?)").params(transactionId, request).update();
            jdbc.sql("UPDATE customer SET earned = earned + ? WHERE uid = ?").params(points, uid).update();
        } else if (!before.get().equals(request)) {
            throw new Refused("transactionId was used with other values.");
        }
    }

    /** Deducts points once per redeemCode, never more than the balance. Returns the balance. */
    long deduct(String redeemCode, String uid, long points, Object deduction) {
        String request = text(deduction);
        Account account = lock(uid);
        Optional<Redemption> before = find(redeemCode, "");
        if (before.isPresent()) {
            if (before.get().state == OrderStatus.REJECTED) throw new Refused("Order already Rejected.");
            if (!request.equals(before.get().request)) throw new Refused("redeemCode was used with other values.");
            return account.balance();
        }
        if (points > account.balance()) throw new Refused("User points have changed.");
        jdbc.sql("INSERT INTO redemption (redeem_code, uid, state, points, request) VALUES (?, ?, 'PENDING', ?, ?)")
                .params(redeemCode, uid, points, request)
                .update();
        jdbc.sql("UPDATE customer SET redeemed = redeemed + ? WHERE uid = ?").params(points, uid).update();
        return account.balance() - points;
    }

    /** Records the status of a redemption. Rejected refunds the points, once. */
    void report(String redeemCode, OrderStatus status) {
        Optional<Redemption> found = find(redeemCode, " FOR UPDATE");
        if (found.isEmpty() && status == OrderStatus.REJECTED) {
            // Remember a rejection that arrives before its deduction, because the late deduction must be refused.
            jdbc.sql("INSERT INTO redemption (redeem_code, state, points) VALUES (?, 'REJECTED', 0)").param(redeemCode).update();
        }
        Redemption redemption = deducted(found);
        if (redemption.state == status) return;
        if (redemption.state != OrderStatus.PENDING) throw new Refused("Order already " + redemption.state + ".");
        jdbc.sql("UPDATE redemption SET state = ? WHERE redeem_code = ?").params(status.name(), redeemCode).update();
        if (status == OrderStatus.REJECTED) {
            jdbc.sql("UPDATE customer SET redeemed = redeemed - ? WHERE uid = ?")
                    .params(redemption.points, redemption.uid)
                    .update();
        }
    }

    /** Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance. */
    long reverse(String redeemCode, long points) {
        Optional<Redemption> found = find(redeemCode, " FOR UPDATE");
        if (found.isPresent() && found.get().uid != null && found.get().points != points) {
            throw new Refused("redeemCode was used with other values.");
        }
        report(redeemCode, OrderStatus.REJECTED);
        return account(deducted(found).uid).balance();
    }

    private Account lock(String uid) {
        String sql = "SELECT earned, redeemed FROM customer WHERE uid = ? FOR UPDATE";
        return known(jdbc.sql(sql).param(uid).query(Account.class).optional());
    }

    private Optional<Redemption> find(String redeemCode, String lock) {
        String sql = "SELECT redeem_code, uid, state, points, request FROM redemption WHERE redeem_code = ?" + lock;
        return jdbc.sql(sql).param(redeemCode).query(Redemption.class).optional();
    }

    private static Redemption deducted(Optional<Redemption> found) {
        return found.filter(redemption -> redemption.uid != null).orElseThrow(() -> new Refused("Unknown redeemCode."));
    }

    private static <T> T known(Optional<T> customer) {
        return customer.orElseThrow(() -> new Refused("Unknown customer."));
    }

    /** Returns the request as text. A repeat must have the same text. */
    private String text(Object request) {
        try {
            return json.writeValueAsString(request);
        } catch (JsonProcessingException error) {
            throw new IllegalStateException(error);
        }
    }
}
