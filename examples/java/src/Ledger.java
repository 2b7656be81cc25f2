import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Customers and their points. REPLACE THIS FILE with one that uses your own database.
 *
 * <p>Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave
 * between the two. Here, {@code synchronized} guarantees that. With a database, lock the customer's row ({@code SELECT
 * ... FOR UPDATE}), and make {@code transactionId} and {@code redeemCode} unique keys.
 */
public final class Ledger {
    /** The maximum number of points that fits the text format (15 digits). */
    static final long MOST_POINTS = 999_999_999_999_999L;

    /** A customer, as the interface defines it. */
    record Customer(Map<String, Object> profile, Map<String, Object> points) {
        String mobileNo() {
            return (String) profile.get("mobileNo");
        }
    }

    private static final class Account {
        final Map<String, Object> profile;
        long earned = 10_000;
        long redeemed;

        Account(Map<String, Object> profile) {
            this.profile = profile;
        }

        long balance() {
            return earned - redeemed;
        }
    }

    /** A redemption. If it was rejected before its deduction, it only has a state. */
    private record Redemption(String state, String uid, long points, String values) {
        Redemption in(String newState) {
            return new Redemption(newState, uid, points, values);
        }
    }

    private final Map<String, Account> accounts = new HashMap<>();
    /** Fingerprints of credit calls, by transactionId. */
    private final Map<String, String> credits = new HashMap<>();
    private final Map<String, Redemption> redemptions = new HashMap<>();

    Ledger(String projectCode) {
        for (int number = 1; number <= 3; number++) {
            accounts.put("CUST000" + number, new Account(demoProfile(number, projectCode)));
        }
    }

    /** Returns a customer's profile and points. */
    synchronized Customer find(String uid) {
        Account account = account(uid);
        Map<String, Object> points = new LinkedHashMap<>();
        points.put("totalEarned", account.earned);
        points.put("balance", account.balance());
        points.put("totalRedeemed", account.redeemed);
        return new Customer(account.profile, points);
    }

    /**
     * Credits points once per transactionId. {@code values} is a fingerprint of the fields that a repeat must match.
     */
    synchronized void credit(String transactionId, String uid, long points, String values) {
        String before = credits.get(transactionId);
        if (values.equals(before)) {
            return;
        }
        if (before != null) {
            throw new Refused(422, "transactionId was used with other values.");
        }
        Account account = account(uid);
        if (account.earned + points > MOST_POINTS) {
            throw new Refused(422, "The account cannot hold so many points.");
        }
        credits.put(transactionId, values);
        account.earned += points;
    }

    /** Deducts points once per redeemCode, never more than the balance. Returns the balance. */
    synchronized long deduct(String redeemCode, String uid, long points, String values) {
        Account account = account(uid);
        Redemption before = redemptions.get(redeemCode);
        if (before == null) {
            if (points > account.balance()) {
                throw new Refused(422, "User points have changed.");
            }
            redemptions.put(redeemCode, new Redemption("Pending", uid, points, values));
            account.redeemed += points;
        } else if (before.state.equals("Rejected")) {
            throw new Refused(422, "Order already Rejected.");
        } else if (!before.values.equals(values)) {
            throw new Refused(422, "redeemCode was used with other values.");
        }
        return account.balance();
    }

    /** Records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once. */
    synchronized void report(String redeemCode, String status) {
        Redemption redemption = redemptions.get(redeemCode);
        if (redemption == null || redemption.uid == null) {
            // Remember a rejection that arrives before its deduction, because the late deduction must be refused.
            if (status.equals("Rejected")) {
                redemptions.put(redeemCode, new Redemption("Rejected", null, 0, null));
            }
            throw new Refused(422, "Unknown redeemCode.");
        }
        if (redemption.state.equals(status)) {
            return;
        }
        if (!redemption.state.equals("Pending")) {
            throw new Refused(422, "Order already " + redemption.state + ".");
        }
        redemptions.put(redeemCode, redemption.in(status));
        if (status.equals("Rejected")) {
            account(redemption.uid).redeemed -= redemption.points;
        }
    }

    /** Rejects a redemption in version 2.0, where the call must name the deducted points. Returns the balance. */
    synchronized long reverse(String redeemCode, long points) {
        Redemption redemption = redemptions.get(redeemCode);
        if (redemption != null && redemption.uid != null && redemption.points != points) {
            throw new Refused(422, "redeemCode was used with other values.");
        }
        report(redeemCode, "Rejected");
        return account(redemptions.get(redeemCode).uid).balance();
    }

    private Account account(String uid) {
        Account account = accounts.get(uid);
        if (account == null) {
            throw new Refused(422, "Unknown customer.");
        }
        return account;
    }

    private static Map<String, Object> demoProfile(int number, String projectCode) {
        Map<String, Object> profile = new LinkedHashMap<>();
        profile.put("uid", "CUST000" + number);
        profile.put("name", "Demo Customer " + number);
        profile.put("email", "customer" + number + "@example.com");
        profile.put("mobileNo", "500000000" + number);
        profile.put("dob", "14/08/1991");
        profile.put("address1", "12 Lake View Road");
        profile.put("address2", "");
        profile.put("city", "Bengaluru");
        profile.put("pincode", 560038);
        profile.put("state", 29);
        profile.put("cus_type", "INDIVIDUAL");
        profile.put("partnerType", "RETAIL");
        profile.put("pan", "ABCXI1234K");
        profile.put("panVerifiedStatus", "VERIFIED");
        profile.put("mdate", "");
        profile.put("projectCode", projectCode);
        profile.put("projectName", "Demo Rewards");
        profile.put("projectId", 101);
        return profile;
    }
}
