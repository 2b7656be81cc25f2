using System.Diagnostics;
using System.Net.Http.Json;
using System.Text.Json.Nodes;
using Xunit;
using Xunit.Sdk;

namespace Rewards.Testing;

/// <summary>
/// A rewards sandbox in xUnit: one process for the whole run, and one workspace for each test. Derive from <see cref="SandboxTest"/>, and
/// end each test with <see cref="Workspace.AssertBooksEvenAsync"/>, because xUnit does not report to a fixture whether its test passed.
///
/// The command in REWARDS_SANDBOX_COMMAND starts the sandbox ("rewards-sandbox" by default). To use a running sandbox instead, set
/// REWARDS_SANDBOX_URL to its control API, such as http://127.0.0.1:4010/sandbox/v1. Needs .NET 8 and xUnit 2.9.
/// </summary>
public abstract class SandboxTest : IAsyncLifetime
{
    protected Workspace Workspace { get; private set; } = null!;

    public async Task InitializeAsync() => Workspace = await Sandbox.WorkspaceAsync();

    public async Task DisposeAsync()
    {
        if (Workspace is not null) await Workspace.DeleteAsync();
    }
}

/// <summary>The response to a call. <c>Body</c> is null unless it is JSON.</summary>
public sealed record Answer(int Status, JsonNode? Body, string Text);

/// <summary>Makes HTTP calls.</summary>
public static class Http
{
    private static readonly HttpClient Client = new(new HttpClientHandler { AllowAutoRedirect = false })
    {
        Timeout = TimeSpan.FromSeconds(90),
    };

    /// <summary>Makes a call. Returns responses with an error status too.</summary>
    public static async Task<Answer> CallAsync(string method, string url, object? body = null, string? authorization = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), url);
        if (body is not null) request.Content = JsonContent.Create(body);
        if (authorization is not null) request.Headers.TryAddWithoutValidation("Authorization", authorization);
        using var response = await Client.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        var isJson = text.StartsWith('{') || text.StartsWith('[');
        return new Answer((int)response.StatusCode, isJson ? JsonNode.Parse(text) : null, text);
    }

    /// <summary>Makes a call and returns the body of the response. Fails the test if the call is refused.</summary>
    public static async Task<JsonNode> AcceptedAsync(string method, string url, object? body = null, string? authorization = null)
    {
        var answer = await CallAsync(method, url, body, authorization);
        if (answer.Status >= 400) throw new XunitException($"{method} {url} returned {answer.Status}: {answer.Text}");
        return answer.Body ?? new JsonObject();
    }
}

/// <summary>The workspace of one test, with its own customers, catalogue, ledger, clock and credentials.</summary>
public sealed class Workspace
{
    private readonly JsonNode created;

    internal Workspace(JsonNode created) => this.created = created;

    /// <summary>Returns the address of an API: rewards, client, sandbox, general, gateway.</summary>
    public string Url(string api) => created["urls"]![api]!.GetValue<string>();

    public JsonNode Credentials => created["credentials"]!;

    private string Admin => "Bearer " + created["admin_token"]!.GetValue<string>();

    /// <summary>Calls the control API and returns the body. Fails the test if the call is refused.</summary>
    public Task<JsonNode> ControlAsync(string method, string path, object? body = null) =>
        Http.AcceptedAsync(method, Url("sandbox") + path, body, Admin);

    /// <summary>Returns the token that your server sends to the platform.</summary>
    public async Task<string> CompanyTokenAsync()
    {
        var secret = new { secret = Credentials["company_secret"]!.GetValue<string>() };
        var reply = await Http.AcceptedAsync("POST", Url("rewards") + "/v1/company/auth", secret);
        return reply["token"]!.GetValue<string>();
    }

    /// <summary>Orders one item with the company token, as your server does. Fails the test if the order is refused.</summary>
    public async Task<JsonNode> OrderAsync(string uid, string sku)
    {
        var body = new { uid, line_items = new[] { new { sku, quantity = 1 } } };
        var url = Url("rewards") + "/v1/partner/redeemptiononskus";
        return await Http.AcceptedAsync("POST", url, body, await CompanyTokenAsync());
    }

    /// <summary>Makes the platform call your own client server instead of the reference client.</summary>
    public Task PointAtAsync(string clientUrl, string serviceToken) =>
        ControlAsync("PATCH", "/workspace", new { settings = new { client_url = clientUrl, client_token = serviceToken } });

    /// <summary>Advances the clock, and runs everything that becomes due: deliveries, reversals, credits.</summary>
    public Task AdvanceAsync(int seconds) => ControlAsync("POST", "/clock/advance", new { seconds });

    /// <summary>Runs everything that is due now.</summary>
    public Task SettleAsync() => ControlAsync("POST", "/settle");

    /// <summary>Returns the balance and entries of a customer in the client's ledger.</summary>
    public Task<JsonNode> LedgerAsync(string uid) => ControlAsync("GET", "/ledger/" + uid);

    /// <summary>Fails if the points of platform and client differ, or a delivery is pending.</summary>
    public async Task AssertBooksEvenAsync()
    {
        var differences = await ControlAsync("GET", "/reconciliation");
        if (differences["items"]!.AsArray().Count > 0 || differences["next"] is not null)
            throw new XunitException("the ledgers differ: " + differences.ToJsonString());
    }

    /// <summary>Fails if either side violated the interface in this test.</summary>
    public async Task AssertContractsKeptAsync()
    {
        var found = await ControlAsync("GET", "/findings?severity=error&wait=60");
        if (found["items"]!.AsArray().Count > 0)
            throw new XunitException("calls break what the interface states: " + found["items"]!.ToJsonString());
        if (found["checked_to"]!.GetValue<long>() != found["newest"]!.GetValue<long>())
            throw new XunitException("calls were not validated within 60 s");
    }

    internal Task DeleteAsync() =>
        Http.CallAsync("DELETE", Url("sandbox") + "/workspaces/" + created["id"]!.GetValue<string>(), null, Admin);
}

/// <summary>A sandbox for the whole run.</summary>
public static class Sandbox
{
    private static readonly Lazy<Task<string>> Started = new(StartAsync);
    /// <summary>Stored in a field because the sandbox stops when its standard input closes.</summary>
    private static Process? process;

    /// <summary>Returns the address of the control API. The first call starts the sandbox, which stops with the run.</summary>
    public static Task<string> UrlAsync() => Started.Value;

    /// <summary>Creates a workspace with a frozen clock.</summary>
    public static async Task<Workspace> WorkspaceAsync()
    {
        var answer = await Http.CallAsync("POST", await UrlAsync() + "/workspaces", new { clock = "frozen" });
        if (answer.Status != 201) throw new XunitException($"no workspace: {answer.Status} {answer.Text}");
        return new Workspace(answer.Body!);
    }

    private static async Task<string> StartAsync()
    {
        var running = Environment.GetEnvironmentVariable("REWARDS_SANDBOX_URL");
        if (!string.IsNullOrEmpty(running)) return running;
        var command = Environment.GetEnvironmentVariable("REWARDS_SANDBOX_COMMAND") ?? "rewards-sandbox";
        var words = command.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        // The standard input of the sandbox closes when this process ends, however it ends.
        var start = new ProcessStartInfo(words[0]) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        string[] flags = ["--port", "0", "--json", "--no-docs", "--workspaces", "2000", "--store", "memory", "--exit-with-parent"];
        foreach (var word in words.Skip(1).Concat(flags)) start.ArgumentList.Add(word);
        process = Process.Start(start) ?? throw new InvalidOperationException(command + " cannot be started");
        var said = process.StandardError.ReadToEndAsync();
        var line = await process.StandardOutput.ReadLineAsync();
        if (line is null) throw new InvalidOperationException($"{command} did not start: {await said}");
        return JsonNode.Parse(line)!["urls"]!["sandbox"]!.GetValue<string>();
    }
}
