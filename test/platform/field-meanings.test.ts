/** Tests the values of fields for which the interface defines only a name and a type (OP-235). */
import { expect, it } from 'vitest';
import { ok, testSandbox } from '../harness/sandbox.ts';

it('OP-235: balance is totalEarned less totalRedeemed, and mdate is empty or a date', async () => {
  const sandbox = await testSandbox();
  const { items } = ok(await sandbox.control.GET('/customers'));
  expect(items.length).toBe(31);
  for (const { profile, points } of items) {
    expect(points.balance).toBe(points.totalEarned - points.totalRedeemed);
    expect(profile.mdate).toMatch(/^(\d{2}\/\d{2}\/\d{4})?$/);
    expect(profile.pan).toMatch(/^[A-Z]{5}\d{4}[A-Z]$/);
    expect(String(profile.pincode)).toMatch(/^[1-9]\d{5}$/);
  }
});
