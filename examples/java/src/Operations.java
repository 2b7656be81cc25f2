import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The operations that the platform and the microsite call, with their inputs and replies. */
final class Operations {
    /**
     * An operation: its method, its credential check, whether the request has a body, and its handler. The handler
     * receives the caller and the body, or the query if there is no body.
     */
    record Operation(
            String method,
            Function<String, Tokens.Caller> caller,
            boolean hasBody,
            BiFunction<Tokens.Caller, Map<String, Object>, Map<String, Object>> run) {}

    private static final List<String> STATUSES = List.of("Pending", "Delivered", "Rejected");
    private static final Pattern AMOUNT = Pattern.compile("(0|[1-9][0-9]{0,12})(\\.[0-9]{1,2})?");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("0|[1-9][0-9]{0,14}");

    /** Fields of a redemption record that a repeat must not change. */
    private static final String[] RECORD_FIELDS = {
        "uid", "scheme", "redeemCode", "redeemPoints", "shippingAddress", "processingFee", "productCode", "productName",
        "quantity", "email", "mobileNo", "totalpoints", "totalPointWithProcessingFee", "tdsSingleItem",
    };

    private final Ledger ledger;
    private final Tokens tokens;
    private final Otp otps;
    private final Otp.MessageGateway gateway;
    private final String projectCode;

    Operations(Ledger ledger, Tokens tokens, Otp otps, Otp.MessageGateway gateway, String projectCode) {
        this.ledger = ledger;
        this.tokens = tokens;
        this.otps = otps;
        this.gateway = gateway;
        this.projectCode = projectCode;
    }

    /** Returns all operations by path. */
    Map<String, Operation> byPath() {
        return Map.of(
                "/getProfileAndPoints", new Operation("POST", tokens::customerOrService, false, this::getProfileAndPoints),
                "/creditPoints", new Operation("POST", tokens::service, true, this::creditPoints),
                "/saveRedeemDetails", new Operation("POST", tokens::customerOrService, true, this::saveRedeemDetails),
                "/updateRedeemStatus", new Operation("POST", tokens::service, true, this::updateRedeemStatus),
                "/api/v1/auth/generate-otp", new Operation("POST", tokens::microsite, true, this::generateOtp),
                "/api/v1/auth/verify-otp", new Operation("POST", tokens::microsite, true, this::verifyOtp),
                "/api/v1/customer/points", new Operation("GET", tokens::customerOrService, false, this::getCustomerPoints),
                "/api/v1/orders/redeem", new Operation("POST", tokens::customerOrService, true, this::redeemPoints),
                "/api/v1/orders/reverse", new Operation("POST", tokens::service, true, this::reversePoints));
    }

    private Map<String, Object> getProfileAndPoints(Tokens.Caller caller, Map<String, Object> query) {
        Ledger.Customer customer = ledger.find(ownUid(caller, text(query, "uid")));
        return Map.of("profile", customer.profile(), "points", customer.points());
    }

    private Map<String, Object> creditPoints(Tokens.Caller caller, Map<String, Object> body) {
        for (String name : List.of("uid", "eventType", "transactionId")) {
            text(body, name);
        }
        if (!AMOUNT.matcher(text(body, "paymentAmount")).matches()) {
            throw Refused.mandatory();
        }
        long points = wholeNumber(body, "points", 0);
        String values = fingerprint(body, "uid", "eventType", "paymentAmount", "points");
        ledger.credit(text(body, "transactionId"), text(body, "uid"), points, values);
        return done();
    }

    private Map<String, Object> saveRedeemDetails(Tokens.Caller caller, Map<String, Object> body) {
        for (String name : List.of("uid", "scheme", "redeemCode", "productCode", "productName")) {
            text(body, name);
        }
        for (String name : List.of("shippingAddress", "email", "mobileNo")) {
            anyText(body, name);
        }
        if (!"pending".equals(body.get("redeemStatus"))) {
            throw Refused.mandatory();
        }
        boolean adds = addsUp(body);
        String uid = ownUid(caller, text(body, "uid"));
        ledger.find(uid);
        if (!text(body, "scheme").equals(projectCode)) {
            throw new Refused(422, "Unknown project.");
        }
        if (!adds) {
            throw new Refused(422, "Points do not add up.");
        }
        long points = wholeNumber(body, "totalPointWithProcessingFee", 1);
        ledger.deduct(text(body, "redeemCode"), uid, points, fingerprint(body, RECORD_FIELDS));
        return done();
    }

    private Map<String, Object> updateRedeemStatus(Tokens.Caller caller, Map<String, Object> body) {
        String redeemCode = text(body, "redeemCode");
        String project = text(body, "projectCode");
        anyText(body, "remark");
        String status = text(body, "status");
        String orderStatus = text(body, "orderStatus");
        if (!STATUSES.contains(status) || !STATUSES.contains(orderStatus)) {
            throw Refused.mandatory();
        }
        if (!status.equals(orderStatus)) {
            throw new Refused(422, "status and orderStatus differ.");
        }
        if (!project.equals(projectCode)) {
            throw new Refused(422, "Unknown project.");
        }
        ledger.report(redeemCode, status);
        return done();
    }

    private Map<String, Object> generateOtp(Tokens.Caller caller, Map<String, Object> body) {
        String uid = text(body, "customer_id");
        String number = ledger.find(uid).mobileNo();
        Otp.Made made = otps.make(uid);
        String message = made.code() + " is your one-time password. It is valid for 5 minutes.";
        gateway.send(number, message, uid, made.reference());
        int hidden = Math.max(0, number.length() - 4);
        Map<String, Object> reply = done();
        reply.put("reference_id", made.reference());
        reply.put("expires_in", Otp.OTP_SECONDS);
        reply.put("mobile", "*".repeat(hidden) + number.substring(hidden));
        return reply;
    }

    private Map<String, Object> verifyOtp(Tokens.Caller caller, Map<String, Object> body) {
        String uid = text(body, "customer_id");
        String code = text(body, "otp");
        otps.use(uid, code, text(body, "reference_id"));
        Map<String, Object> reply = done();
        reply.put("token", tokens.sign(uid));
        reply.put("token_type", "Bearer");
        reply.put("expires_in", Tokens.TOKEN_SECONDS);
        reply.put("points", ledger.find(uid).points());
        return reply;
    }

    private Map<String, Object> getCustomerPoints(Tokens.Caller caller, Map<String, Object> query) {
        String uid = ownUid(caller, text(query, "customer_id"));
        return Map.of("customer_id", uid, "points", ledger.find(uid).points());
    }

    private Map<String, Object> redeemPoints(Tokens.Caller caller, Map<String, Object> body) {
        text(body, "order_id");
        String redeemCode = text(body, "redeem_code");
        long points = wholePoints(body);
        String uid = ownUid(caller, text(body, "customer_id"));
        String values = fingerprint(body, "customer_id", "order_id", "points");
        Map<String, Object> reply = done();
        reply.put("balance", ledger.deduct(redeemCode, uid, points, values));
        return reply;
    }

    private Map<String, Object> reversePoints(Tokens.Caller caller, Map<String, Object> body) {
        String redeemCode = text(body, "redeem_code");
        anyText(body, "reason");
        Map<String, Object> reply = done();
        reply.put("balance", ledger.reverse(redeemCode, wholePoints(body)));
        return reply;
    }

    private static Map<String, Object> done() {
        Map<String, Object> reply = new LinkedHashMap<>();
        reply.put("success", true);
        reply.put("status", 200);
        return reply;
    }

    /** Checks that both totals of a redemption record equal the sums of their parts. */
    private static boolean addsUp(Map<String, Object> body) {
        long points = wholeNumber(body, "redeemPoints", 1);
        long tds = wholeNumber(body, "tdsSingleItem", 0);
        long quantity = wholeNumber(body, "quantity", 1);
        long fee = wholeNumber(body, "processingFee", 0);
        long total = wholeNumber(body, "totalpoints", 1);
        long withFee = wholeNumber(body, "totalPointWithProcessingFee", 1);
        // Compare by division, because the product could overflow a long.
        boolean fits = tds == 0 || quantity <= total / tds;
        return fits && points + tds * quantity == total && total + fee == withFee;
    }

    /** Returns the customer of a call. Refuses callers that may not act for that customer. */
    private static String ownUid(Tokens.Caller caller, String uid) {
        if (caller.uid() != null && !caller.uid().equals(uid)) {
            throw Refused.tokenInvalid();
        }
        return uid;
    }

    private static String text(Map<String, Object> body, String name) {
        String text = anyText(body, name);
        if (text.isEmpty()) {
            throw Refused.mandatory();
        }
        return text;
    }

    private static String anyText(Map<String, Object> body, String name) {
        if (body.get(name) instanceof String text) {
            return text;
        }
        throw Refused.mandatory();
    }

    /** Parses a whole number in text form, without sign, spaces or leading zeros. */
    private static long wholeNumber(Map<String, Object> body, String name, long least) {
        String text = text(body, name);
        if (!WHOLE_NUMBER.matcher(text).matches() || Long.parseLong(text) < least) {
            throw Refused.mandatory();
        }
        return Long.parseLong(text);
    }

    /** Validates points of version 2.0, which are JSON numbers. */
    private static long wholePoints(Map<String, Object> body) {
        if (body.get("points") instanceof Long points && points >= 0 && points <= Ledger.MOST_POINTS) {
            return points;
        }
        throw Refused.mandatory();
    }

    /** Returns a fingerprint of the values of these fields. */
    private static String fingerprint(Map<String, Object> body, String... names) {
        return Json.write(java.util.Arrays.stream(names).map(body::get).toList());
    }
}
