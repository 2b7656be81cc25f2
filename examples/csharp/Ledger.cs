namespace ClientServer;

/// <summary>A customer's points, as the interface defines them.</summary>
public sealed record Points(long TotalEarned, long Balance, long TotalRedeemed);

/// <summary>
/// Customers and their points. REPLACE THIS FILE with one that uses your own database.
///
/// Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between
/// the two. Here, a lock guarantees that. With a database, lock the customer's row (SELECT ... FOR UPDATE), and make
/// transactionId and redeemCode unique keys.
/// </summary>
public sealed class Ledger
{
    /// <summary>The maximum number of points that fits the text format (15 digits).</summary>
    public const long MostPoints = 999_999_999_999_999;

    private sealed class Account(Dictionary<string, object> profile)
    {
        public Dictionary<string, object> Profile { get; } = profile;
        public long Earned { get; set; } = 10_000;
        public long Redeemed { get; set; }
        public long Balance => Earned - Redeemed;
    }

    /// <summary>A redemption. If it was rejected before its deduction, it only has a state.</summary>
    private sealed record Redemption(string State, string? Uid, long Points, string? Values);

    private readonly object _lock = new();
    private readonly Dictionary<string, Account> _accounts = [];

    /// <summary>Fingerprints of credit calls, by transactionId.</summary>
    private readonly Dictionary<string, string> _credits = [];

    private readonly Dictionary<string, Redemption> _redemptions = [];

    public Ledger(string projectCode)
    {
        for (var number = 1; number <= 3; number++)
        {
            _accounts[$"CUST000{number}"] = new Account(DemoProfile(number, projectCode));
        }
    }

    /// <summary>Returns a customer's profile and points.</summary>
    public (Dictionary<string, object> Profile, Points Points) Find(string uid)
    {
        lock (_lock)
        {
            var account = Known(uid);
            return (account.Profile, new Points(account.Earned, account.Balance, account.Redeemed));
        }
    }

    /// <summary>
    /// Credits points once per transactionId. <paramref name="values"/> is a fingerprint of the fields that a repeat
    /// must match.
    /// </summary>
    public void Credit(string transactionId, string uid, long points, string values)
    {
        lock (_lock)
        {
            if (_credits.TryGetValue(transactionId, out var before))
            {
                if (before != values)
                {
                    throw new Refused(422, "transactionId was used with other values.");
                }
                return;
            }
            var account = Known(uid);
            if (account.Earned + points > MostPoints)
            {
                throw new Refused(422, "The account cannot hold so many points.");
            }
            _credits[transactionId] = values;
            account.Earned += points;
        }
    }

    /// <summary>Deducts points once per redeemCode, never more than the balance. Returns the balance.</summary>
    public long Deduct(string redeemCode, string uid, long points, string values)
    {
        lock (_lock)
        {
            var account = Known(uid);
            if (!_redemptions.TryGetValue(redeemCode, out var before))
            {
                if (points > account.Balance)
                {
                    throw new Refused(422, "User points have changed.");
                }
                _redemptions[redeemCode] = new Redemption("Pending", uid, points, values);
                account.Redeemed += points;
            }
            else if (before.State == "Rejected")
            {
                throw new Refused(422, "Order already Rejected.");
            }
            else if (before.Values != values)
            {
                throw new Refused(422, "redeemCode was used with other values.");
            }
            return account.Balance;
        }
    }

    /// <summary>Records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once.</summary>
    public void Report(string redeemCode, string status)
    {
        lock (_lock)
        {
            _redemptions.TryGetValue(redeemCode, out var redemption);
            if (redemption?.Uid is null)
            {
                // Remember a rejection that arrives before its deduction, because the late deduction must be refused.
                if (status == "Rejected")
                {
                    _redemptions[redeemCode] = new Redemption("Rejected", null, 0, null);
                }
                throw new Refused(422, "Unknown redeemCode.");
            }
            if (redemption.State == status)
            {
                return;
            }
            if (redemption.State != "Pending")
            {
                throw new Refused(422, $"Order already {redemption.State}.");
            }
            _redemptions[redeemCode] = redemption with { State = status };
            if (status == "Rejected")
            {
                Known(redemption.Uid).Redeemed -= redemption.Points;
            }
        }
    }

    /// <summary>Rejects a redemption in version 2.0. The call must name the deducted points. Returns the
    /// balance.</summary>
    public long Reverse(string redeemCode, long points)
    {
        lock (_lock)
        {
            if (_redemptions.TryGetValue(redeemCode, out var before) && before.Uid is not null && before.Points != points)
            {
                throw new Refused(422, "redeemCode was used with other values.");
            }
            Report(redeemCode, "Rejected");
            return Known(_redemptions[redeemCode].Uid!).Balance;
        }
    }

    private Account Known(string uid) =>
        _accounts.TryGetValue(uid, out var account) ? account : throw new Refused(422, "Unknown customer.");

    private static Dictionary<string, object> DemoProfile(int number, string projectCode) => new()
    {
        ["uid"] = $"CUST000{number}",
        ["name"] = $"Demo Customer {number}",
        ["email"] = $"customer{number}@example.com",
        ["mobileNo"] = $"500000000{number}",
        ["dob"] = "14/08/1991",
        ["address1"] = "12 Lake View Road",
        ["address2"] = "",
        ["city"] = "Bengaluru",
        ["pincode"] = 560038,
        ["state"] = 29,
        ["cus_type"] = "INDIVIDUAL",
        ["partnerType"] = "RETAIL",
        ["pan"] = "ABCXI1234K",
        ["panVerifiedStatus"] = "VERIFIED",
        ["mdate"] = "",
        ["projectCode"] = projectCode,
        ["projectName"] = "Demo Rewards",
        ["projectId"] = 101,
    };
}
