"""The operations of version 2.0 for points, deductions and reversals."""

from typing import Annotated

from fastapi import APIRouter, Query

from ..dependencies import CallerDep, LedgerDep, platform_only
from ..json_route import JsonRoute
from ..models import Booked, CustomerPoints, Deduction, Reversal

router = APIRouter(prefix="/api/v1", route_class=JsonRoute)


@router.get("/customer/points")
def get_customer_points(
    caller: CallerDep, ledger: LedgerDep, customer_id: Annotated[str, Query(min_length=1)]
) -> CustomerPoints:
    caller.must_act_for(customer_id)
    return CustomerPoints(customer_id=customer_id, points=ledger.find(customer_id).points)


@router.post("/orders/redeem")
def redeem_points(caller: CallerDep, deduction: Deduction, ledger: LedgerDep) -> Booked:
    uid = deduction.customer_id
    caller.must_act_for(uid)
    return Booked(balance=ledger.deduct(deduction.redeem_code, uid, deduction.points, deduction.model_dump_json()))


@router.post("/orders/reverse", dependencies=[platform_only])
def reverse_points(reversal: Reversal, ledger: LedgerDep) -> Booked:
    return Booked(balance=ledger.reverse(reversal.redeem_code, reversal.points))
