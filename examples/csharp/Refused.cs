namespace ClientServer;

/// <summary>A refused call. The server converts it to the error reply that the interface defines.</summary>
public sealed class Refused(int status, string message) : Exception(message)
{
    public int Status { get; } = status;

    public static Refused TokenInvalid() => new(422, "Token Invalid");

    public static Refused Mandatory() => new(422, "Please enter the mandatory details to proceed further.");
}
