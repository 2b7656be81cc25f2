using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace ClientServer;

/// <summary>Who called: a customer by the JWT; without a uid the platform by the service token, or the microsite.</summary>
public sealed record Caller(string? Uid);

/// <summary>Who calls: the customer's JWT, the platform's service token, the microsite's Basic credentials.</summary>
public sealed partial class Tokens(string serviceToken, string basicUser, string basicPassword, string jwtSecret)
{
    public static readonly int TokenSeconds = int.Parse(Environment.GetEnvironmentVariable("TOKEN_SECONDS") ?? "1800");
    private const string Issuer = "client";
    private const string Audience = "rewards-platform";
    private static readonly string Header = Encode("""{"alg":"HS256","typ":"JWT"}"""u8.ToArray());

    private sealed record Claims(string Iss, string Aud, string Sub, long Iat, long Exp, string Jti);

    private static readonly JsonSerializerOptions LowerCase = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    /// <summary>A JWT for a customer.</summary>
    public string Sign(string uid)
    {
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var claims = new Claims(Issuer, Audience, uid, now, now + TokenSeconds, Guid.NewGuid().ToString());
        var signed = $"{Header}.{Encode(JsonSerializer.SerializeToUtf8Bytes(claims, LowerCase))}";
        return $"{signed}.{Signature(signed)}";
    }

    public Caller CustomerOrService(string authorization)
    {
        var token = Bearer(authorization);
        return Same(token, serviceToken) ? new Caller((string?)null) : new Caller(Subject(token));
    }

    public Caller Service(string authorization) =>
        Same(Bearer(authorization), serviceToken) ? new Caller((string?)null) : throw Refused.TokenInvalid();

    public Caller Microsite(string authorization)
    {
        var match = BasicPattern().Match(authorization);
        var bytes = new byte[authorization.Length];
        var decoded = match.Success && Convert.TryFromBase64String(match.Groups[1].Value, bytes, out var length)
            ? Encoding.UTF8.GetString(bytes, 0, length)
            : "";
        return Same(decoded, $"{basicUser}:{basicPassword}")
            ? new Caller((string?)null)
            : throw new Refused(401, "Missing or invalid Basic credentials");
    }

    /// <summary>Compares secrets in constant time.</summary>
    public static bool Same(string given, string expected) => CryptographicOperations.FixedTimeEquals(
        SHA256.HashData(Encoding.UTF8.GetBytes(given)),
        SHA256.HashData(Encoding.UTF8.GetBytes(expected)));

    /// <summary>The customer of a JWT that holds: our one algorithm, our signature, our platform, not ended.</summary>
    private string Subject(string token)
    {
        var parts = token.Split('.');
        // Only the header that we write is accepted, so that no token can choose its own algorithm, none among them.
        if (parts.Length != 3 || parts[0] != Header || !Same(parts[2], Signature($"{parts[0]}.{parts[1]}")))
        {
            throw Refused.TokenInvalid();
        }
        var claims = JsonSerializer.Deserialize<Claims>(Decode(parts[1]), LowerCase);
        if (claims is null || claims.Iss != Issuer || claims.Aud != Audience)
        {
            throw Refused.TokenInvalid();
        }
        return claims.Exp > DateTimeOffset.UtcNow.ToUnixTimeSeconds() ? claims.Sub : throw Refused.TokenInvalid();
    }

    private string Signature(string text) =>
        Encode(HMACSHA256.HashData(Encoding.UTF8.GetBytes(jwtSecret), Encoding.UTF8.GetBytes(text)));

    private static string Bearer(string authorization)
    {
        var match = BearerPattern().Match(authorization);
        return match.Success ? match.Groups[1].Value : throw Refused.TokenInvalid();
    }

    private static string Encode(byte[] bytes) =>
        Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');

    private static byte[] Decode(string text) =>
        Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4));

    [GeneratedRegex(@"^(?i:Bearer) +([!-~]+)\z")]
    private static partial Regex BearerPattern();

    [GeneratedRegex(@"^(?i:Basic) +([A-Za-z0-9+/=]+)\z")]
    private static partial Regex BasicPattern();
}
