namespace ClientServer;

/// <summary>A call that is not carried out. The server turns it into the reply that the interface states.</summary>
public sealed class Refused(int status, string message) : Exception(message)
{
    public int Status { get; } = status;

    public static Refused TokenInvalid() => new(422, "Token Invalid");

    public static Refused Mandatory() => new(422, "Please enter the mandatory details to proceed further.");
}
