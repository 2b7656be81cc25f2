package main

// Refused is a refused call. The server converts it to the error reply that the interface defines.
type Refused struct {
	Status  int
	Message string
}

func (refused Refused) Error() string { return refused.Message }

var (
	errTokenInvalid = Refused{422, "Token Invalid"}
	errMandatory    = Refused{422, "Please enter the mandatory details to proceed further."}
)
