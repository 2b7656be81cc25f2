package main

import (
	"fmt"
	"sync"
)

// The maximum number of points that fits the text format (15 digits).
const mostPoints = 999_999_999_999_999

// Profile is a customer's data, as the interface defines it.
type Profile struct {
	UID               string `json:"uid"`
	Name              string `json:"name"`
	Email             string `json:"email"`
	MobileNo          string `json:"mobileNo"`
	DOB               string `json:"dob"`
	Address1          string `json:"address1"`
	Address2          string `json:"address2"`
	City              string `json:"city"`
	Pincode           int    `json:"pincode"`
	State             int    `json:"state"`
	CusType           string `json:"cus_type"`
	PartnerType       string `json:"partnerType"`
	Pan               string `json:"pan"`
	PanVerifiedStatus string `json:"panVerifiedStatus"`
	MDate             string `json:"mdate"`
	ProjectCode       string `json:"projectCode"`
	ProjectName       string `json:"projectName"`
	ProjectID         int    `json:"projectId"`
}

// Points are a customer's points, as the interface defines them.
type Points struct {
	TotalEarned   int64 `json:"totalEarned"`
	Balance       int64 `json:"balance"`
	TotalRedeemed int64 `json:"totalRedeemed"`
}

type customer struct {
	profile          Profile
	earned, redeemed int64
}

func (of *customer) balance() int64 { return of.earned - of.redeemed }

// A redemption. If it was rejected before its deduction, it only has a state.
type redemption struct {
	state, uid string
	points     int64
	values     string
}

// Ledger stores customers and their points. REPLACE THIS FILE with one that uses your own database.
//
// Each method is one transaction. It checks and books in one step, so that concurrent calls cannot interleave between
// the two. Here, a lock guarantees that. With a database, lock the customer's row (SELECT ... FOR UPDATE), and make
// transactionId and redeemCode unique keys.
type Ledger struct {
	lock      sync.Mutex
	customers map[string]*customer
	// Credits: transactionId -> fingerprint of the call.
	credits     map[string]string
	redemptions map[string]*redemption
}

// NewLedger creates a ledger with three demo customers.
func NewLedger(projectCode string) *Ledger {
	ledger := &Ledger{
		customers:   map[string]*customer{},
		credits:     map[string]string{},
		redemptions: map[string]*redemption{},
	}
	for number := 1; number <= 3; number++ {
		profile := demoProfile(number, projectCode)
		ledger.customers[profile.UID] = &customer{profile: profile, earned: 10_000}
	}
	return ledger
}

// Find returns a customer's profile and points.
func (ledger *Ledger) Find(uid string) (Profile, Points, error) {
	ledger.lock.Lock()
	defer ledger.lock.Unlock()
	found, known := ledger.customers[uid]
	if !known {
		return Profile{}, Points{}, Refused{422, "Unknown customer."}
	}
	return found.profile, Points{found.earned, found.balance(), found.redeemed}, nil
}

// Credit credits points once per transactionID. values is a fingerprint of the fields that a repeat must match.
func (ledger *Ledger) Credit(transactionID, uid string, points int64, values string) error {
	ledger.lock.Lock()
	defer ledger.lock.Unlock()
	if before, known := ledger.credits[transactionID]; known {
		if before != values {
			return Refused{422, "transactionId was used with other values."}
		}
		return nil
	}
	found, known := ledger.customers[uid]
	if !known {
		return Refused{422, "Unknown customer."}
	}
	if found.earned+points > mostPoints {
		return Refused{422, "The account cannot hold so many points."}
	}
	ledger.credits[transactionID] = values
	found.earned += points
	return nil
}

// Deduct deducts points once per redeemCode, never more than the balance. It returns the balance.
func (ledger *Ledger) Deduct(redeemCode, uid string, points int64, values string) (int64, error) {
	ledger.lock.Lock()
	defer ledger.lock.Unlock()
	found, known := ledger.customers[uid]
	if !known {
		return 0, Refused{422, "Unknown customer."}
	}
	before, known := ledger.redemptions[redeemCode]
	switch {
	case !known && points > found.balance():
		return 0, Refused{422, "User points have changed."}
	case !known:
		ledger.redemptions[redeemCode] = &redemption{"Pending", uid, points, values}
		found.redeemed += points
	case before.state == "Rejected":
		return 0, Refused{422, "Order already Rejected."}
	case before.values != values:
		return 0, Refused{422, "redeemCode was used with other values."}
	}
	return found.balance(), nil
}

// Report records the status of a redemption: Pending, Delivered or Rejected. Rejected refunds the points, once.
func (ledger *Ledger) Report(redeemCode, status string) error {
	ledger.lock.Lock()
	defer ledger.lock.Unlock()
	return ledger.report(redeemCode, status)
}

// Reverse rejects a redemption in version 2.0, where the call must name the deducted points. It returns the balance.
func (ledger *Ledger) Reverse(redeemCode string, points int64) (int64, error) {
	ledger.lock.Lock()
	defer ledger.lock.Unlock()
	before, known := ledger.redemptions[redeemCode]
	if known && before.uid != "" && before.points != points {
		return 0, Refused{422, "redeemCode was used with other values."}
	}
	if err := ledger.report(redeemCode, "Rejected"); err != nil {
		return 0, err
	}
	return ledger.customers[before.uid].balance(), nil
}

// report does the work of Report. The caller must hold the lock.
func (ledger *Ledger) report(redeemCode, status string) error {
	before, known := ledger.redemptions[redeemCode]
	if !known || before.uid == "" {
		// Remember a rejection that arrives before its deduction, because the late deduction must be refused.
		if status == "Rejected" {
			ledger.redemptions[redeemCode] = &redemption{state: "Rejected"}
		}
		return Refused{422, "Unknown redeemCode."}
	}
	if before.state == status {
		return nil
	}
	if before.state != "Pending" {
		return Refused{422, "Order already " + before.state + "."}
	}
	before.state = status
	if status == "Rejected" {
		ledger.customers[before.uid].redeemed -= before.points
	}
	return nil
}

func demoProfile(number int, projectCode string) Profile {
	return Profile{
		UID:               fmt.Sprintf("CUST%04d", number),
		Name:              fmt.Sprintf("Demo Customer %d", number),
		Email:             fmt.Sprintf("customer%d@example.com", number),
		MobileNo:          fmt.Sprintf("500000%04d", number),
		DOB:               "14/08/1991",
		Address1:          "12 Lake View Road",
		City:              "Bengaluru",
		Pincode:           560038,
		State:             29,
		CusType:           "INDIVIDUAL",
		PartnerType:       "RETAIL",
		Pan:               "ABCXI1234K",
		PanVerifiedStatus: "VERIFIED",
		ProjectCode:       projectCode,
		ProjectName:       "Demo Rewards",
		ProjectID:         101,
	}
}
