using ClientServer;
using Xunit;

public sealed class LedgerTests
{
    private readonly Ledger _ledger = new("DEMO01");

    private long Balance => _ledger.Find("CUST0001").Points.Balance;

    [Fact]
    public void Points_are_credited_once_for_each_transactionId()
    {
        _ledger.Credit("T1", "CUST0001", 7, "a");
        _ledger.Credit("T1", "CUST0001", 7, "a");
        Assert.Throws<Refused>(() => _ledger.Credit("T1", "CUST0001", 8, "b"));
        Assert.Equal(10_007, Balance);
    }

    [Fact]
    public void A_deduction_is_taken_once_and_given_back_once_on_Rejected()
    {
        Assert.Equal(9_500, _ledger.Deduct("R1", "CUST0001", 500, "a"));
        Assert.Equal(9_500, _ledger.Deduct("R1", "CUST0001", 500, "a"));
        _ledger.Report("R1", "Rejected");
        _ledger.Report("R1", "Rejected");
        Assert.Equal(10_000, Balance);
        Assert.Equal("Order already Rejected.", Assert.Throws<Refused>(() => _ledger.Report("R1", "Delivered")).Message);
    }

    [Fact]
    public void A_deduction_that_comes_after_its_rejection_is_refused()
    {
        Assert.Throws<Refused>(() => _ledger.Report("R2", "Rejected"));
        var late = Assert.Throws<Refused>(() => _ledger.Deduct("R2", "CUST0001", 1, "a"));
        Assert.Equal("Order already Rejected.", late.Message);
    }

    [Fact]
    public void Deductions_at_the_same_time_never_go_below_zero()
    {
        var successes = 0;
        Parallel.For(0, 20, number =>
        {
            try
            {
                _ledger.Deduct($"R{number}", "CUST0001", 1_000, "a");
                Interlocked.Increment(ref successes);
            }
            catch (Refused)
            {
                // Half of the calls are refused, because the balance covers only ten.
            }
        });
        Assert.Equal(10, successes);
        Assert.Equal(0L, Balance);
    }
}
