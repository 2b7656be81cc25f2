using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace ClientServer;

/// <summary>The authenticated caller. A customer has a uid. The platform and the microsite have none.</summary>
public sealed record Caller(string? Uid);

/// <summary>Authenticates callers by customer JWT, service token of the platform, or Basic credentials of the
/// microsite.</summary>
public sealed partial class Tokens(string serviceToken, string basicUser, string basicPassword, string jwtSecret)
{
    public static readonly int TokenSeconds = int.Parse(Environment.GetEnvironmentVariable("TOKEN_SECONDS") ?? "1800");
    private const string Issuer = "client";
    private const string Audience = "rewards-platform";
    private static readonly string Header = Encode("""{"alg":"HS256","typ":"JWT"}"""u8.ToArray());

    private sealed record Claims(string Iss, string Aud, string Sub, long Iat, long Exp, string Jti);

    private static readonly JsonSerializerOptions LowerCase = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    /// <summary>Signs a JWT for a customer.</summary>
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

    /// <summary>Returns the customer of a valid JWT. Checks algorithm, signature, issuer, audience and
    /// expiry.</summary>
    private string Subject(string token)
    {
        var parts = token.Split('.');
        // Accept only the header that we write, so that no token can choose its own algorithm, such as none.
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
