using System.Text;
using System.Text.Json.Nodes;
using Xunit;

namespace Rewards.Testing;

/// <summary>Example tests that each use their own workspace. Your tests would drive your server and check the
/// result.</summary>
public sealed class RedemptionTest : SandboxTest
{
    /// <summary>Signs in at the reference client with a one-time password from the outbox. Returns the customer's
    /// token.</summary>
    private async Task<string> SignInAsync(string uid)
    {
        var client = Workspace.Url("client");
        var pair = $"{Workspace.Credentials["basic"]!["username"]}:{Workspace.Credentials["basic"]!["password"]}";
        var basic = "Basic " + Convert.ToBase64String(Encoding.UTF8.GetBytes(pair));
        var sent = await Http.AcceptedAsync("POST", client + "/api/v1/auth/generate-otp", new { customer_id = uid }, basic);
        var messages = await Workspace.ControlAsync("GET", "/messages?uid=" + uid);
        var otp = messages["items"]![0]!["otp"]!.GetValue<string>();
        var code = new { customer_id = uid, otp, reference_id = sent["reference_id"]!.GetValue<string>() };
        var verified = await Http.AcceptedAsync("POST", client + "/api/v1/auth/verify-otp", code, basic);
        var credentials = new { uid, token = verified["token"]!.GetValue<string>() };
        var company = await Workspace.CompanyTokenAsync();
        var reply = await Http.AcceptedAsync("POST", Workspace.Url("rewards") + "/v1/customer/auth", credentials, company);
        return reply["token"]!.GetValue<string>();
    }

    private async Task<Answer> OrderAsCustomerAsync(string uid, string sku)
    {
        var body = new { uid, line_items = new[] { new { sku, quantity = 1 } } };
        var url = Workspace.Url("rewards") + "/v1/partner/redeemptiononskus";
        return await Http.CallAsync("POST", url, body, await SignInAsync(uid));
    }

    private async Task<decimal> BalanceAsync(string uid) =>
        decimal.Parse((await Workspace.LedgerAsync(uid))["balance"]!.ToString());

    [Fact]
    public async Task ADeliveredVoucherIsRedeemed()
    {
        var before = await BalanceAsync("CUST0001");
        Assert.Equal(200, (await OrderAsCustomerAsync("CUST0001", "EGV-SPICE-500")).Status);
        await Workspace.AdvanceAsync(2);
        Assert.True(await BalanceAsync("CUST0001") < before);
        await Workspace.AssertContractsKeptAsync();
        await Workspace.AssertBooksEvenAsync();
    }

    [Fact]
    public async Task ARejectedVoucherIsRefunded()
    {
        var before = await BalanceAsync("CUST0001");
        await Workspace.ControlAsync("PUT", "/vendor-outcomes/EGV-SPICE-500", new { outcome = "reject", reason = "Not sold here" });
        Assert.Equal(200, (await OrderAsCustomerAsync("CUST0001", "EGV-SPICE-500")).Status);
        await Workspace.AdvanceAsync(2);
        Assert.Equal(before, await BalanceAsync("CUST0001"));
        await Workspace.AssertBooksEvenAsync();
    }

    [Fact]
    public async Task EachTestHasALedgerOfItsOwn()
    {
        JsonArray items = (await Workspace.LedgerAsync("CUST0001"))["items"]!.AsArray();
        Assert.Single(items);
        await Workspace.AssertBooksEvenAsync();
    }
}
