package main

// Refused is a call that is not carried out. The server turns it into the reply that the interface states.
type Refused struct {
	Status  int
	Message string
}

func (refused Refused) Error() string { return refused.Message }

var (
	errTokenInvalid = Refused{422, "Token Invalid"}
	errMandatory    = Refused{422, "Please enter the mandatory details to proceed further."}
)
