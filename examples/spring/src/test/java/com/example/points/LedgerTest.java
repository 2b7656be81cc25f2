package com.example.points;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.points.contract.client.OrderStatus;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ActiveProfiles;

/** Tests that your own ledger must also pass. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("test")
class LedgerTest {
    private static final String CUSTOMER = "CUST0003";

    @Autowired
    private Ledger ledger;

    @Test
    void pointsAreCreditedOnceForEachTransactionId() {
        long before = balance();
        ledger.credit("T1", CUSTOMER, 7, Map.of("points", "7"));
        ledger.credit("T1", CUSTOMER, 7, Map.of("points", "7"));
        assertThatThrownBy(() -> ledger.credit("T1", CUSTOMER, 8, Map.of("points", "8"))).isInstanceOf(Refused.class);
        assertThat(balance()).isEqualTo(before + 7);
    }

    @Test
    void aDeductionIsMadeOnceAndRefundedOnceOnRejected() {
        long before = balance();
        deduct("R1", 500);
        deduct("R1", 500);
        assertThat(balance()).isEqualTo(before - 500);
        ledger.report("R1", OrderStatus.REJECTED);
        ledger.report("R1", OrderStatus.REJECTED);
        assertThat(balance()).isEqualTo(before);
        assertThatThrownBy(() -> ledger.report("R1", OrderStatus.DELIVERED)).hasMessage("Order already Rejected.");
    }

    @Test
    void aDeductionAfterItsRejectionIsRefused() {
        long before = balance();
        assertThatThrownBy(() -> ledger.report("R2", OrderStatus.REJECTED)).hasMessage("Unknown redeemCode.");
        assertThatThrownBy(() -> deduct("R2", 1)).hasMessage("Order already Rejected.");
        assertThat(balance()).isEqualTo(before);
    }

    @Test
    void concurrentDeductionsNeverOverdraw() {
        long before = balance();
        long successes = IntStream.range(0, 20).parallel().filter(number -> succeeds("C" + number)).count();
        assertThat(successes).isEqualTo(before / 1_000);
        assertThat(balance()).isEqualTo(before % 1_000);
    }

    private boolean succeeds(String redeemCode) {
        try {
            deduct(redeemCode, 1_000);
            return true;
        } catch (Refused error) {
            return false;
        }
    }

    private void deduct(String redeemCode, long points) {
        ledger.deduct(redeemCode, CUSTOMER, points, Map.of("redeemCode", redeemCode, "points", points));
    }

    private long balance() {
        return ledger.account(CUSTOMER).balance();
    }
}
