package main

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Values are the fields of a body, or of the query if a call has no body.
type Values map[string]any

// Operation is an operation that the platform or the microsite calls: its method, credential check and handler.
type Operation struct {
	method  string
	caller  func(authorization string) (Caller, error)
	hasBody bool
	run     func(caller Caller, values Values) (any, error)
}

// Operations are the handlers of all operations, with the services that they use.
type Operations struct {
	ledger      *Ledger
	tokens      *Tokens
	otps        *OneTimePasswords
	gateway     MessageGateway
	projectCode string
}

// Done is the reply of operations that return no data.
type Done struct {
	Success bool `json:"success"`
	Status  int  `json:"status"`
}

// Booked is the reply of the operations in version 2.0 that change points.
type Booked struct {
	Done
	Balance int64 `json:"balance"`
}

var done = Done{true, 200}

// Fields of a redemption record that a repeat must not change.
var recordFields = strings.Fields(`uid scheme redeemCode redeemPoints shippingAddress processingFee productCode
	productName quantity email mobileNo totalpoints totalPointWithProcessingFee tdsSingleItem`)

var (
	amountPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,12})(\.[0-9]{1,2})?$`)
	numberPattern = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})$`)
)

// ByPath returns all operations by path.
func (operations *Operations) ByPath() map[string]Operation {
	tokens := operations.tokens
	return map[string]Operation{
		"/getProfileAndPoints":      {"POST", tokens.CustomerOrService, false, operations.getProfileAndPoints},
		"/creditPoints":             {"POST", tokens.Service, true, operations.creditPoints},
		"/saveRedeemDetails":        {"POST", tokens.CustomerOrService, true, operations.saveRedeemDetails},
		"/updateRedeemStatus":       {"POST", tokens.Service, true, operations.updateRedeemStatus},
		"/api/v1/auth/generate-otp": {"POST", tokens.Microsite, true, operations.generateOtp},
		"/api/v1/auth/verify-otp":   {"POST", tokens.Microsite, true, operations.verifyOtp},
		"/api/v1/customer/points":   {"GET", tokens.CustomerOrService, false, operations.getCustomerPoints},
		"/api/v1/orders/redeem":     {"POST", tokens.CustomerOrService, true, operations.redeemPoints},
		"/api/v1/orders/reverse":    {"POST", tokens.Service, true, operations.reversePoints},
	}
}

func (operations *Operations) getProfileAndPoints(caller Caller, query Values) (any, error) {
	uid, err := query.ownUID("uid", caller)
	if err != nil {
		return nil, err
	}
	profile, points, err := operations.ledger.Find(uid)
	return map[string]any{"profile": profile, "points": points}, err
}

func (operations *Operations) creditPoints(_ Caller, body Values) (any, error) {
	if err := body.texts("uid", "eventType", "transactionId", "paymentAmount"); err != nil {
		return nil, err
	}
	if !amountPattern.MatchString(body.text("paymentAmount")) {
		return nil, errMandatory
	}
	points, err := body.wholeNumber("points", 0)
	if err != nil {
		return nil, err
	}
	values := body.fingerprint("uid", "eventType", "paymentAmount", "points")
	return done, operations.ledger.Credit(body.text("transactionId"), body.text("uid"), points, values)
}

func (operations *Operations) saveRedeemDetails(caller Caller, body Values) (any, error) {
	if err := body.texts("uid", "scheme", "redeemCode", "productCode", "productName"); err != nil {
		return nil, err
	}
	if err := body.anyTexts("shippingAddress", "email", "mobileNo"); err != nil {
		return nil, err
	}
	if body["redeemStatus"] != "pending" {
		return nil, errMandatory
	}
	total, adds, err := body.total()
	if err != nil {
		return nil, err
	}
	uid, err := body.ownUID("uid", caller)
	if err != nil {
		return nil, err
	}
	if _, _, err := operations.ledger.Find(uid); err != nil {
		return nil, err
	}
	if body.text("scheme") != operations.projectCode {
		return nil, Refused{422, "Unknown project."}
	}
	if !adds {
		return nil, Refused{422, "Points do not add up."}
	}
	_, err = operations.ledger.Deduct(body.text("redeemCode"), uid, total, body.fingerprint(recordFields...))
	return done, err
}

func (operations *Operations) updateRedeemStatus(_ Caller, body Values) (any, error) {
	if err := body.texts("redeemCode", "projectCode"); err != nil {
		return nil, err
	}
	if err := body.anyTexts("remark"); err != nil {
		return nil, err
	}
	status, orderStatus := body.text("status"), body.text("orderStatus")
	if !isStatus(status) || !isStatus(orderStatus) {
		return nil, errMandatory
	}
	if status != orderStatus {
		return nil, Refused{422, "status and orderStatus differ."}
	}
	if body.text("projectCode") != operations.projectCode {
		return nil, Refused{422, "Unknown project."}
	}
	return done, operations.ledger.Report(body.text("redeemCode"), status)
}

func (operations *Operations) generateOtp(_ Caller, body Values) (any, error) {
	if err := body.texts("customer_id"); err != nil {
		return nil, err
	}
	uid := body.text("customer_id")
	profile, _, err := operations.ledger.Find(uid)
	if err != nil {
		return nil, err
	}
	code, reference, err := operations.otps.Make(uid)
	if err != nil {
		return nil, err
	}
	text := code + " is your one-time password. It is valid for 5 minutes."
	message := Message{To: profile.MobileNo, Text: text, CustomerID: uid, ReferenceID: reference}
	if err := operations.gateway.Send(message); err != nil {
		return nil, err
	}
	hidden := max(0, len(profile.MobileNo)-4)
	return struct {
		Done
		ReferenceID string `json:"reference_id"`
		ExpiresIn   int    `json:"expires_in"`
		Mobile      string `json:"mobile"`
	}{done, reference, otpSeconds, strings.Repeat("*", hidden) + profile.MobileNo[hidden:]}, nil
}

func (operations *Operations) verifyOtp(_ Caller, body Values) (any, error) {
	if err := body.texts("customer_id", "otp", "reference_id"); err != nil {
		return nil, err
	}
	uid := body.text("customer_id")
	if err := operations.otps.Use(uid, body.text("otp"), body.text("reference_id")); err != nil {
		return nil, err
	}
	_, points, err := operations.ledger.Find(uid)
	return struct {
		Done
		Token     string `json:"token"`
		TokenType string `json:"token_type"`
		ExpiresIn int    `json:"expires_in"`
		Points    Points `json:"points"`
	}{done, operations.tokens.Sign(uid), "Bearer", tokenSeconds, points}, err
}

func (operations *Operations) getCustomerPoints(caller Caller, query Values) (any, error) {
	uid, err := query.ownUID("customer_id", caller)
	if err != nil {
		return nil, err
	}
	_, points, err := operations.ledger.Find(uid)
	return map[string]any{"customer_id": uid, "points": points}, err
}

func (operations *Operations) redeemPoints(caller Caller, body Values) (any, error) {
	if err := body.texts("order_id", "redeem_code"); err != nil {
		return nil, err
	}
	points, err := body.wholePoints()
	if err != nil {
		return nil, err
	}
	uid, err := body.ownUID("customer_id", caller)
	if err != nil {
		return nil, err
	}
	values := body.fingerprint("customer_id", "order_id", "points")
	balance, err := operations.ledger.Deduct(body.text("redeem_code"), uid, points, values)
	return Booked{done, balance}, err
}

func (operations *Operations) reversePoints(_ Caller, body Values) (any, error) {
	if err := body.texts("redeem_code"); err != nil {
		return nil, err
	}
	if err := body.anyTexts("reason"); err != nil {
		return nil, err
	}
	points, err := body.wholePoints()
	if err != nil {
		return nil, err
	}
	balance, err := operations.ledger.Reverse(body.text("redeem_code"), points)
	return Booked{done, balance}, err
}

func isStatus(text string) bool {
	return text == "Pending" || text == "Delivered" || text == "Rejected"
}

// text returns the text of a field, or an empty string if the field has no text.
func (values Values) text(name string) string {
	text, _ := values[name].(string)
	return text
}

func (values Values) texts(names ...string) error {
	for _, name := range names {
		if values.text(name) == "" {
			return errMandatory
		}
	}
	return nil
}

func (values Values) anyTexts(names ...string) error {
	for _, name := range names {
		if _, is := values[name].(string); !is {
			return errMandatory
		}
	}
	return nil
}

// ownUID returns the customer of a call. It refuses callers that may not act for that customer.
func (values Values) ownUID(name string, caller Caller) (string, error) {
	uid := values.text(name)
	if uid == "" {
		return "", errMandatory
	}
	if caller.UID != "" && caller.UID != uid {
		return "", errTokenInvalid
	}
	return uid, nil
}

// wholeNumber parses a whole number in text form, without sign, spaces or leading zeros.
func (values Values) wholeNumber(name string, least int64) (int64, error) {
	if !numberPattern.MatchString(values.text(name)) {
		return 0, errMandatory
	}
	number, err := strconv.ParseInt(values.text(name), 10, 64)
	if err != nil || number < least {
		return 0, errMandatory
	}
	return number, nil
}

// wholePoints returns points of version 2.0, which are JSON numbers.
func (values Values) wholePoints() (int64, error) {
	points, is := values["points"].(float64)
	if !is || points != math.Trunc(points) || points < 0 || points > mostPoints {
		return 0, errMandatory
	}
	return int64(points), nil
}

// total returns totalPointWithProcessingFee of a redemption record, and whether both totals equal the sums of their
// parts.
func (values Values) total() (int64, bool, error) {
	numbers := map[string]int64{}
	for _, name := range []string{"redeemPoints", "quantity", "totalpoints", "totalPointWithProcessingFee"} {
		number, err := values.wholeNumber(name, 1)
		if err != nil {
			return 0, false, err
		}
		numbers[name] = number
	}
	for _, name := range []string{"tdsSingleItem", "processingFee"} {
		number, err := values.wholeNumber(name, 0)
		if err != nil {
			return 0, false, err
		}
		numbers[name] = number
	}
	tds, quantity, total := numbers["tdsSingleItem"], numbers["quantity"], numbers["totalpoints"]
	// Compare by division, because the product could overflow 64 bits.
	fits := tds == 0 || quantity <= total/tds
	adds := fits && numbers["redeemPoints"]+tds*quantity == total
	withFee := numbers["totalPointWithProcessingFee"]
	return withFee, adds && total+numbers["processingFee"] == withFee, nil
}

// fingerprint returns a fingerprint of the values of these fields.
func (values Values) fingerprint(names ...string) string {
	list := make([]any, len(names))
	for index, name := range names {
		list[index] = values[name]
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(text)
}
