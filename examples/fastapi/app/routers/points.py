"""Profile and points, credits, deductions and status updates."""

from typing import Annotated

from fastapi import APIRouter, Query

from ..dependencies import CallerDep, LedgerDep, SettingsDep, platform_only
from ..errors import Refused
from ..json_route import JsonRoute
from ..models import CreditPointsEvent, Done, ProfileAndPoints, RedemptionRecord, StatusUpdate

router = APIRouter(route_class=JsonRoute)


@router.post("/getProfileAndPoints")
def get_profile_and_points(
    caller: CallerDep, ledger: LedgerDep, uid: Annotated[str, Query(min_length=1)]
) -> ProfileAndPoints:
    caller.must_act_for(uid)
    return ledger.find(uid)


@router.post("/creditPoints", dependencies=[platform_only])
def credit_points(event: CreditPointsEvent, ledger: LedgerDep) -> Done:
    ledger.credit(event.transactionId, event.uid, event.points, event.model_dump_json())
    return Done()


@router.post("/saveRedeemDetails")
def save_redeem_details(caller: CallerDep, record: RedemptionRecord, ledger: LedgerDep, settings: SettingsDep) -> Done:
    caller.must_act_for(record.uid)
    ledger.find(record.uid)
    if record.scheme != settings.project_code:
        raise Refused("Unknown project.")
    if not record.adds_up():
        raise Refused("Points do not add up.")
    ledger.deduct(record.redeemCode, record.uid, record.totalPointWithProcessingFee, record.model_dump_json())
    return Done()


@router.post("/updateRedeemStatus", dependencies=[platform_only])
def update_redeem_status(update: StatusUpdate, ledger: LedgerDep, settings: SettingsDep) -> Done:
    if update.status != update.orderStatus:
        raise Refused("status and orderStatus differ.")
    if update.projectCode != settings.project_code:
        raise Refused("Unknown project.")
    ledger.report(update.redeemCode, update.status)
    return Done()
