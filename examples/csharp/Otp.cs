using System.Net.Http.Headers;
using System.Security.Cryptography;
using System.Text.Json;

namespace ClientServer;

/// <summary>Creates, sends and verifies one-time passwords.</summary>
/// <param name="limit">Maximum number of codes sent to a customer in ten minutes since the last sign-in; 0 means no
/// limit.</param>
public sealed class OneTimePasswords(int limit)
{
    public const int OtpSeconds = 300;
    private const int MostTries = 5;
    private static readonly TimeSpan Window = TimeSpan.FromMinutes(10);

    private sealed record Otp(string Code, string Reference, DateTimeOffset Until)
    {
        /// <summary>Times at which codes were sent to the customer since the last sign-in.</summary>
        public List<DateTimeOffset> Sent { get; init; } = [];
        public int Tries { get; set; }
        public bool Used { get; set; }
    }

    private readonly object _lock = new();

    /// <summary>The newest code of each customer. Older codes are invalid.</summary>
    private readonly Dictionary<string, Otp> _newest = [];

    /// <summary>Creates a code that replaces the customer's previous one.</summary>
    public (string Code, string Reference) Make(string uid)
    {
        var now = DateTimeOffset.UtcNow;
        lock (_lock)
        {
            var sent = _newest.TryGetValue(uid, out var before) ? before.Sent.Where(at => now - at < Window).ToList() : [];
            if (limit > 0 && sent.Count >= limit)
            {
                throw new Refused(422, "Too many OTP requests. Try again later.");
            }
            if (limit > 0)
            {
                sent.Add(now);
            }
            var code = RandomNumberGenerator.GetInt32(1_000_000).ToString("D6");
            var otp = new Otp(code, Guid.NewGuid().ToString(), now.AddSeconds(OtpSeconds)) { Sent = sent };
            _newest[uid] = otp;
            return (otp.Code, otp.Reference);
        }
    }

    /// <summary>Verifies and consumes a code. Refuses all codes but the customer's newest with this
    /// reference.</summary>
    public void Use(string uid, string code, string reference)
    {
        lock (_lock)
        {
            if (!_newest.TryGetValue(uid, out var otp) || otp.Reference != reference)
            {
                throw new Refused(422, "Unknown reference_id.");
            }
            if (otp.Used)
            {
                throw new Refused(422, "OTP has already been used.");
            }
            if (otp.Tries >= MostTries)
            {
                throw new Refused(422, "Too many attempts for this OTP. Request a new one.");
            }
            otp.Tries++;
            if (DateTimeOffset.UtcNow >= otp.Until)
            {
                throw new Refused(422, "OTP has expired.");
            }
            if (!Tokens.Same(code, otp.Code))
            {
                throw new Refused(422, "Incorrect OTP.");
            }
            otp.Used = true;
            otp.Sent.Clear();
        }
    }
}

/// <summary>Sends SMS through the gateway at the given address, or prints them if there is none.</summary>
public sealed class MessageGateway(string url, string authorization)
{
    private static readonly HttpClient Client = new() { Timeout = TimeSpan.FromSeconds(5) };

    public async Task Send(string to, string text, string customerId, string referenceId)
    {
        var message = new { channel = "sms", to, text, customer_id = customerId, reference_id = referenceId };
        var body = JsonSerializer.Serialize(message);
        if (url == "")
        {
            Console.WriteLine($"message {body}");
            return;
        }
        using var request = new HttpRequestMessage(HttpMethod.Post, url);
        request.Content = new StringContent(body, MediaTypeHeaderValue.Parse("application/json"));
        if (authorization != "")
        {
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
        }
        try
        {
            using var reply = await Client.SendAsync(request);
            reply.EnsureSuccessStatusCode();
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException)
        {
            Console.Error.WriteLine($"The message gateway did not take a message: {error.Message}");
            throw new Refused(503, "Temporarily unavailable");
        }
    }
}
