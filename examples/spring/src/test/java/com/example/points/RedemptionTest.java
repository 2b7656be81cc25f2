package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.rewards.RewardsSandbox;
import com.example.rewards.RewardsSandbox.Workspace;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

/** Tests redemptions end to end: the platform of a sandbox calls this server. After each test, both ledgers must agree. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("test")
@ExtendWith(RewardsSandbox.class)
class RedemptionTest {
    private static final String VOUCHER = "EGV-SPICE-500";

    @LocalServerPort
    private int port;

    @Autowired
    private Ledger ledger;

    @Test
    void aDeliveredVoucherIsPaidOnce(Workspace workspace) {
        workspace.pointAt("http://127.0.0.1:" + port, "service");
        long before = ledger.account("CUST0001").balance();
        workspace.order("CUST0001", VOUCHER);
        assertThat(ledger.account("CUST0001").balance()).isEqualTo(before - 500);
        workspace.advance(60);
        assertThat(ledger.account("CUST0001").balance()).isEqualTo(before - 500);
        workspace.assertContractsKept();
    }

    @Test
    void aRejectedVoucherIsRefunded(Workspace workspace) {
        workspace.pointAt("http://127.0.0.1:" + port, "service");
        long before = ledger.account("CUST0001").balance();
        workspace.control("PUT", "/vendor-outcomes/" + VOUCHER, Map.of("outcome", "reject", "reason", "Out of stock"));
        workspace.order("CUST0001", VOUCHER);
        workspace.advance(60);
        assertThat(ledger.account("CUST0001").balance()).isEqualTo(before);
        workspace.assertContractsKept();
    }

    @Test
    void aLostReplyIsNotDeductedTwice(Workspace workspace) {
        workspace.pointAt("http://127.0.0.1:" + port, "service");
        long before = ledger.account("CUST0001").balance();
        workspace.control("POST", "/faults", Map.of("target", "saveRedeemDetails", "fault", "lost_reply", "times", 1));
        workspace.order("CUST0001", VOUCHER);
        workspace.advance(60);
        assertThat(ledger.account("CUST0001").balance()).isEqualTo(before - 500);
    }
}
