// Signs the company in and prints the first page of the catalogue, with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"clients/rewards"
)

func main() {
	client, err := rewards.NewClientWithResponses(os.Getenv("REWARDS_URL"))
	check(err)
	body := rewards.CompanyAuthJSONRequestBody{Secret: os.Getenv("COMPANY_SECRET")}
	signedIn, err := client.CompanyAuthWithResponse(context.Background(), body)
	check(err)
	if signedIn.JSON200 == nil {
		log.Fatalf("sign-in: %s", signedIn.Body)
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", signedIn.JSON200.Token)
		return nil
	}
	page, err := client.ListRewardsWithResponse(context.Background(), &rewards.ListRewardsParams{}, authorize)
	check(err)
	if page.JSON200 == nil {
		log.Fatalf("listing: %s", page.Body)
	}
	check(json.NewEncoder(os.Stdout).Encode(page.JSON200.Items))
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
