using System.Text.Json;
using System.Text.RegularExpressions;

namespace ClientServer;

/// <summary>
/// An operation: its method, its credential check, whether the request has a body, and its handler. The handler
/// receives the caller and the body, or the query if there is no body.
/// </summary>
public sealed record Operation(
    string Method,
    Func<string, Caller> Caller,
    bool HasBody,
    Func<Caller, Values, Task<object>> Run);

/// <summary>The operations that the platform and the microsite call, with their inputs and replies.</summary>
public sealed class Operations(
    Ledger ledger,
    Tokens tokens,
    OneTimePasswords otps,
    MessageGateway gateway,
    string projectCode)
{
    private static readonly string[] Statuses = ["Pending", "Delivered", "Rejected"];

    /// <summary>Fields of a redemption record that a repeat must not change.</summary>
    private static readonly string[] RecordFields =
    [
        "uid", "scheme", "redeemCode", "redeemPoints", "shippingAddress", "processingFee", "productCode", "productName",
        "quantity", "email", "mobileNo", "totalpoints", "totalPointWithProcessingFee", "tdsSingleItem",
    ];

    private static readonly object Done = new { success = true, status = 200 };

    /// <summary>Returns all operations by path.</summary>
    public Dictionary<string, Operation> ByPath() => new()
    {
        ["/getProfileAndPoints"] = new("POST", tokens.CustomerOrService, false, GetProfileAndPoints),
        ["/creditPoints"] = new("POST", tokens.Service, true, CreditPoints),
        ["/saveRedeemDetails"] = new("POST", tokens.CustomerOrService, true, SaveRedeemDetails),
        ["/updateRedeemStatus"] = new("POST", tokens.Service, true, UpdateRedeemStatus),
        ["/api/v1/auth/generate-otp"] = new("POST", tokens.Microsite, true, GenerateOtp),
        ["/api/v1/auth/verify-otp"] = new("POST", tokens.Microsite, true, VerifyOtp),
        ["/api/v1/customer/points"] = new("GET", tokens.CustomerOrService, false, GetCustomerPoints),
        ["/api/v1/orders/redeem"] = new("POST", tokens.CustomerOrService, true, RedeemPoints),
        ["/api/v1/orders/reverse"] = new("POST", tokens.Service, true, ReversePoints),
    };

    private Task<object> GetProfileAndPoints(Caller caller, Values query)
    {
        var (profile, points) = ledger.Find(OwnUid(caller, query.Text("uid")));
        return Task.FromResult<object>(new { profile, points });
    }

    private Task<object> CreditPoints(Caller caller, Values body)
    {
        var (uid, transactionId) = (body.Text("uid"), body.Text("transactionId"));
        body.Text("eventType");
        if (!Regex.IsMatch(body.Text("paymentAmount"), @"^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?\z"))
        {
            throw Refused.Mandatory();
        }
        var points = body.WholeNumber("points", 0);
        ledger.Credit(transactionId, uid, points, body.Fingerprint("uid", "eventType", "paymentAmount", "points"));
        return Task.FromResult(Done);
    }

    private Task<object> SaveRedeemDetails(Caller caller, Values body)
    {
        foreach (var name in new[] { "uid", "scheme", "redeemCode", "productCode", "productName" })
        {
            body.Text(name);
        }
        foreach (var name in new[] { "shippingAddress", "email", "mobileNo" })
        {
            body.AnyText(name);
        }
        if (body.Text("redeemStatus") != "pending")
        {
            throw Refused.Mandatory();
        }
        var adds = AddsUp(body);
        var uid = OwnUid(caller, body.Text("uid"));
        ledger.Find(uid);
        if (body.Text("scheme") != projectCode)
        {
            throw new Refused(422, "Unknown project.");
        }
        if (!adds)
        {
            throw new Refused(422, "Points do not add up.");
        }
        var points = body.WholeNumber("totalPointWithProcessingFee", 1);
        ledger.Deduct(body.Text("redeemCode"), uid, points, body.Fingerprint(RecordFields));
        return Task.FromResult(Done);
    }

    private Task<object> UpdateRedeemStatus(Caller caller, Values body)
    {
        var (redeemCode, project) = (body.Text("redeemCode"), body.Text("projectCode"));
        body.AnyText("remark");
        var (status, orderStatus) = (body.Text("status"), body.Text("orderStatus"));
        if (!Statuses.Contains(status) || !Statuses.Contains(orderStatus))
        {
            throw Refused.Mandatory();
        }
        if (status != orderStatus)
        {
            throw new Refused(422, "status and orderStatus differ.");
        }
        if (project != projectCode)
        {
            throw new Refused(422, "Unknown project.");
        }
        ledger.Report(redeemCode, status);
        return Task.FromResult(Done);
    }

    private async Task<object> GenerateOtp(Caller caller, Values body)
    {
        var uid = body.Text("customer_id");
        var number = (string)ledger.Find(uid).Profile["mobileNo"];
        var (code, reference) = otps.Make(uid);
        await gateway.Send(number, $"{code} is your one-time password. It is valid for 5 minutes.", uid, reference);
        var mobile = number[Math.Max(0, number.Length - 4)..].PadLeft(number.Length, '*');
        return new { success = true, status = 200, reference_id = reference, expires_in = OneTimePasswords.OtpSeconds, mobile };
    }

    private Task<object> VerifyOtp(Caller caller, Values body)
    {
        var (uid, code, reference) = (body.Text("customer_id"), body.Text("otp"), body.Text("reference_id"));
        otps.Use(uid, code, reference);
        var points = ledger.Find(uid).Points;
        var token = tokens.Sign(uid);
        return Task.FromResult<object>(
            new { success = true, status = 200, token, token_type = "Bearer", expires_in = Tokens.TokenSeconds, points });
    }

    private Task<object> GetCustomerPoints(Caller caller, Values query)
    {
        var uid = OwnUid(caller, query.Text("customer_id"));
        return Task.FromResult<object>(new { customer_id = uid, points = ledger.Find(uid).Points });
    }

    private Task<object> RedeemPoints(Caller caller, Values body)
    {
        body.Text("order_id");
        var (redeemCode, points) = (body.Text("redeem_code"), body.WholePoints("points"));
        var uid = OwnUid(caller, body.Text("customer_id"));
        var balance = ledger.Deduct(redeemCode, uid, points, body.Fingerprint("customer_id", "order_id", "points"));
        return Task.FromResult<object>(new { success = true, status = 200, balance });
    }

    private Task<object> ReversePoints(Caller caller, Values body)
    {
        var (redeemCode, points) = (body.Text("redeem_code"), body.WholePoints("points"));
        body.AnyText("reason");
        return Task.FromResult<object>(new { success = true, status = 200, balance = ledger.Reverse(redeemCode, points) });
    }

    /// <summary>Checks that both totals of a redemption record equal the sums of their parts.</summary>
    private static bool AddsUp(Values body)
    {
        var (points, tds) = (body.WholeNumber("redeemPoints", 1), body.WholeNumber("tdsSingleItem", 0));
        var (quantity, fee) = (body.WholeNumber("quantity", 1), body.WholeNumber("processingFee", 0));
        var total = body.WholeNumber("totalpoints", 1);
        var withFee = body.WholeNumber("totalPointWithProcessingFee", 1);
        // Compare by division, because the product could overflow a long.
        var fits = tds == 0 || quantity <= total / tds;
        return fits && points + tds * quantity == total && total + fee == withFee;
    }

    /// <summary>Returns the customer of a call. Refuses callers that may not act for that customer.</summary>
    private static string OwnUid(Caller caller, string uid) =>
        caller.Uid is null || caller.Uid == uid ? uid : throw Refused.TokenInvalid();
}

/// <summary>The fields of a body, or of the query if a call has no body.</summary>
public sealed class Values(Dictionary<string, JsonElement> fields)
{
    public string Text(string name) => AnyText(name) is { Length: > 0 } text ? text : throw Refused.Mandatory();

    public string AnyText(string name) =>
        fields.TryGetValue(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : throw Refused.Mandatory();

    /// <summary>Parses a whole number in text form, without sign, spaces or leading zeros.</summary>
    public long WholeNumber(string name, long least)
    {
        var text = Text(name);
        if (!Regex.IsMatch(text, @"^(0|[1-9][0-9]{0,14})\z") || long.Parse(text) < least)
        {
            throw Refused.Mandatory();
        }
        return long.Parse(text);
    }

    /// <summary>Validates points of version 2.0, which are JSON numbers.</summary>
    public long WholePoints(string name)
    {
        var isWhole = fields.TryGetValue(name, out var value) && value.ValueKind == JsonValueKind.Number;
        return isWhole && value.TryGetInt64(out var points) && points is >= 0 and <= Ledger.MostPoints
            ? points
            : throw Refused.Mandatory();
    }

    /// <summary>Returns a fingerprint of the values of these fields.</summary>
    public string Fingerprint(params string[] names) => JsonSerializer.Serialize(names.Select(name => fields[name]));
}
