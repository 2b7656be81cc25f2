using System.Text.Json;
using ClientServer;

// The HTTP server: settings, requests and replies. ASP.NET Core shuts down gracefully on SIGTERM.

const int MostBytes = 64 * 1024;
var json = new JsonSerializerOptions(JsonSerializerDefaults.Web);
var names = new Dictionary<int, string>
{
    [400] = "Bad Request",
    [401] = "Unauthorized",
    [404] = "Not Found",
    [405] = "Method Not Allowed",
    [413] = "Payload Too Large",
    [415] = "Unsupported Media Type",
    [422] = "Unprocessable entity",
    [500] = "Internal Server Error",
    [503] = "Service Unavailable",
};

foreach (var name in new[] { "SERVICE_TOKEN", "BASIC_USER", "BASIC_PASSWORD" })
{
    if (Setting(name) == "")
    {
        Console.Error.WriteLine($"Set {name}: the README explains it.");
        return 1;
    }
}
var projectCode = Setting("PROJECT_CODE", "DEMO01");
var jwtSecret = Setting("JWT_SECRET", $"{Guid.NewGuid()}{Guid.NewGuid()}");
var byPath = new Operations(
    new Ledger(projectCode),
    new Tokens(Setting("SERVICE_TOKEN"), Setting("BASIC_USER"), Setting("BASIC_PASSWORD"), jwtSecret),
    new OneTimePasswords(int.Parse(Setting("OTP_LIMIT", "5"))),
    new MessageGateway(Setting("MESSAGE_GATEWAY_URL"), Setting("MESSAGE_GATEWAY_AUTHORIZATION")),
    projectCode).ByPath();

var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
// Disable Kestrel's limit. Read detects larger bodies, so that the caller receives the error reply.
builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = null);
builder.WebHost.UseUrls($"http://127.0.0.1:{Setting("PORT", "8080")}");
var app = builder.Build();
app.Run(Handle);
await app.StartAsync();
Console.WriteLine($"listening on {app.Urls.First()}");
await app.WaitForShutdownAsync();
return 0;

async Task Handle(HttpContext context)
{
    try
    {
        await Write(context, 200, await Answer(context));
    }
    catch (Refused refused)
    {
        if (refused.Status == 401)
        {
            context.Response.Headers.WWWAuthenticate = "Basic realm=\"client\"";
        }
        await Write(context, refused.Status, Envelope(refused.Status, refused.Message));
    }
    catch (Exception error) when (error is not (OperationCanceledException or BadHttpRequestException))
    {
        Console.Error.WriteLine(error);
        await Write(context, 500, Envelope(500, "Internal error"));
    }
}

async Task<object> Answer(HttpContext context)
{
    var request = context.Request;
    var body = await Read(request.Body);
    if (!byPath.TryGetValue(request.Path.Value ?? "", out var operation))
    {
        throw new Refused(404, "Not found");
    }
    if (request.Method != operation.Method)
    {
        context.Response.Headers.Allow = operation.Method;
        throw new Refused(405, "Method not allowed");
    }
    // With two Authorization headers, the intended one is ambiguous.
    var authorization = request.Headers.Authorization.Count == 1 ? request.Headers.Authorization[0]! : "";
    // Check the token before the body, so that callers without one learn nothing about the rest.
    var caller = operation.Caller(authorization);
    return await operation.Run(caller, operation.HasBody ? Parse(body, request.ContentType) : Query(request.Query));
}

// Returns the body, or null if it is too large. Reads and drops the excess.
async Task<byte[]?> Read(Stream stream)
{
    using var body = new MemoryStream();
    var buffer = new byte[8192];
    var size = 0L;
    for (int read; (read = await stream.ReadAsync(buffer)) > 0; size += read)
    {
        if (size + read <= MostBytes)
        {
            body.Write(buffer, 0, read);
        }
    }
    return size <= MostBytes ? body.ToArray() : null;
}

Values Parse(byte[]? body, string? contentType)
{
    if (body is null)
    {
        throw new Refused(413, "Request body is larger than 64 KiB");
    }
    if (body.Length == 0 && string.IsNullOrEmpty(contentType))
    {
        throw Refused.Mandatory();
    }
    if (!"application/json".Equals(contentType?.Split(';')[0].Trim(), StringComparison.OrdinalIgnoreCase))
    {
        throw new Refused(415, "Content-Type must be application/json");
    }
    if (body.Length == 0)
    {
        throw Refused.Mandatory();
    }
    try
    {
        using var document = JsonDocument.Parse(body);
        if (document.RootElement.ValueKind != JsonValueKind.Object)
        {
            throw Refused.Mandatory();
        }
        var fields = new Dictionary<string, JsonElement>();
        foreach (var property in document.RootElement.EnumerateObject())
        {
            fields[property.Name] = property.Value.Clone();
            // A lone surrogate has no .NET string. Detect it here, where it counts as the caller's error.
            if (property.Value.ValueKind == JsonValueKind.String)
            {
                property.Value.GetString();
            }
        }
        return new Values(fields);
    }
    catch (Exception error) when (error is JsonException or InvalidOperationException)
    {
        throw new Refused(400, "Invalid request: the body is not well-formed JSON");
    }
}

Values Query(IQueryCollection query) =>
    new(query.ToDictionary(pair => pair.Key, pair => JsonSerializer.SerializeToElement(pair.Value.FirstOrDefault())));

object Envelope(int status, string message)
{
    var name = names[status];
    var type = (status == 422 ? "UnprocessableEntity" : name.Replace(" ", "")) + "HttpException";
    return new { success = false, status, data = new { name, message, code = 0, status, type } };
}

async Task Write(HttpContext context, int status, object body)
{
    var bytes = JsonSerializer.SerializeToUtf8Bytes(body, json);
    context.Response.StatusCode = status;
    context.Response.ContentType = "application/json";
    context.Response.ContentLength = bytes.Length;
    context.Response.Headers.CacheControl = "no-store";
    if (context.Request.Method != "HEAD")
    {
        await context.Response.Body.WriteAsync(bytes);
    }
}

string Setting(string name, string otherwise = "") =>
    Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value : otherwise;

/// <summary>Declared so that tests can start the server.</summary>
public partial class Program;
