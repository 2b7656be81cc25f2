package com.example.rewards;

import static com.example.rewards.RewardsSandbox.accepted;
import static com.example.rewards.RewardsSandbox.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.rewards.RewardsSandbox.Answer;
import com.example.rewards.RewardsSandbox.Workspace;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Example tests that each use their own workspace. Your tests would drive your server and check the result. */
@ExtendWith(RewardsSandbox.class)
class RedemptionTest {
  /** Signs in at the reference client with a one-time password from the outbox. Returns the customer's token. */
  static String signIn(Workspace workspace, String uid) {
    String client = workspace.url("client");
    String pair = workspace.credential("/basic/username") + ":" + workspace.credential("/basic/password");
    String basic = "Basic " + Base64.getEncoder().encodeToString(pair.getBytes());
    var sent = accepted("POST", client + "/api/v1/auth/generate-otp", Map.of("customer_id", uid), "Authorization", basic);
    String otp = workspace.control("GET", "/messages?uid=" + uid, null).at("/items/0/otp").asText();
    var code = Map.of("customer_id", uid, "otp", otp, "reference_id", sent.get("reference_id").asText());
    var verified = accepted("POST", client + "/api/v1/auth/verify-otp", code, "Authorization", basic);
    var credentials = Map.of("uid", uid, "token", verified.get("token").asText());
    var url = workspace.url("rewards") + "/v1/customer/auth";
    return accepted("POST", url, credentials, "Authorization", workspace.companyToken()).get("token").asText();
  }

  static Answer order(Workspace workspace, String uid, String sku) {
    var body = Map.of("uid", uid, "line_items", List.of(Map.of("sku", sku, "quantity", 1)));
    String url = workspace.url("rewards") + "/v1/partner/redeemptiononskus";
    return call("POST", url, body, "Authorization", signIn(workspace, uid));
  }

  static long balance(Workspace workspace, String uid) {
    return workspace.ledger(uid).get("balance").asLong();
  }

  @Test
  void aDeliveredVoucherIsRedeemed(Workspace workspace) {
    long before = balance(workspace, "CUST0001");
    assertEquals(200, order(workspace, "CUST0001", "EGV-SPICE-500").status());
    workspace.advance(2);
    assertTrue(balance(workspace, "CUST0001") < before);
    assertEquals("Delivered", workspace.control("GET", "/orders", null).at("/items/0/order/status").asText());
    workspace.assertContractsKept();
  }

  @Test
  void aRejectedVoucherGivesThePointsBack(Workspace workspace) {
    long before = balance(workspace, "CUST0001");
    var outcome = Map.of("outcome", "reject", "reason", "Not sold here");
    workspace.control("PUT", "/vendor-outcomes/EGV-SPICE-500", outcome);
    assertEquals(200, order(workspace, "CUST0001", "EGV-SPICE-500").status());
    assertTrue(balance(workspace, "CUST0001") < before);
    workspace.advance(2);
    assertEquals(before, balance(workspace, "CUST0001"));
  }

  @Test
  void eachTestHasBooksOfItsOwn(Workspace workspace) {
    assertEquals(1, workspace.ledger("CUST0001").get("items").size());
  }
}
