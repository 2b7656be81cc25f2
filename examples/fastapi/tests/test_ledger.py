"""Tests that your own ledger must also pass."""

from concurrent.futures import ThreadPoolExecutor

from .conftest import Parties


def test_points_are_credited_once_for_each_transaction_id(parties: Parties) -> None:
    event = {"uid": "CUST0001", "eventType": "DIGITAL_PAYMENT", "transactionId": "T1", "paymentAmount": "10.5"}
    assert parties.post("/creditPoints", {**event, "points": "7"}) == (200, None)
    assert parties.post("/creditPoints", {**event, "points": "7"}) == (200, None)
    refused = (422, "transactionId was used with other values.")
    assert parties.post("/creditPoints", {**event, "points": "8"}) == refused
    assert parties.balance() == 10_007


def test_a_redeem_code_is_deducted_once_and_keeps_its_values(parties: Parties) -> None:
    assert parties.save("R1") == (200, None)
    assert parties.save("R1") == (200, None)
    assert parties.save("R1", 600) == (422, "redeemCode was used with other values.")
    assert parties.balance() == 9_500


def test_more_points_than_the_balance_are_refused(parties: Parties) -> None:
    assert parties.save("R1", 10_001) == (422, "User points have changed.")
    assert parties.balance() == 10_000


def test_a_deduction_that_comes_after_its_rejection_is_refused(parties: Parties) -> None:
    assert parties.report("R1", "Rejected") == (422, "Unknown redeemCode.")
    assert parties.save("R1") == (422, "Order already Rejected.")
    assert parties.balance() == 10_000


def test_concurrent_deductions_never_go_below_zero(parties: Parties) -> None:
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda number: parties.save(f"R{number}", 1_000), range(20)))
    assert sorted(status for status, _ in replies) == [200] * 10 + [422] * 10
    assert parties.balance() == 0


def test_concurrent_calls_with_one_redeem_code_deduct_once(parties: Parties) -> None:
    with ThreadPoolExecutor(10) as pool:
        replies = list(pool.map(lambda _: parties.save("R1"), range(10)))
    assert replies == [(200, None)] * 10
    assert parties.balance() == 9_500
