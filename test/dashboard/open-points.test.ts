/** Tests the dashboard's open points in a real browser: the calls that rely on them, and recording an answer (OP-250, OP-251). */
import { expect, it } from 'vitest';
import { inspect } from '../harness/inspecting.ts';
import { order } from '../harness/orders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { fill, screens } from './screens.ts';

const onScreen = screens();

it('lists the points that calls rely on, and saves an answer; one that is refused says why', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox));
  await onScreen(sandbox, '/open-points?relied=yes&q=OP-05', async (page) => {
    const point = page.getByRole('region', { name: 'OP-05: Placing an order' });
    await point.getByText('Not answered.').waitFor();
    expect(await point.innerText()).toContain('blocks going live 1 call, for example createRedemptionOrder');
    expect(await point.innerText()).not.toContain('`');
    expect(await inspect(page, 'dashboard-open-points')).toEqual([]);
    await point.getByText('Edit answer').click();
    const save = point.getByRole('button', { name: 'Save answer to OP-05' });
    await fill(point, { Answer: 'differs', 'Answered by': 'Jane Doe', On: '2026-11-28' });
    await save.click();
    await point.getByText('needs a text that says what applies instead').waitFor();
    await point.getByLabel('Text', { exact: true }).fill('At most 5 lines.');
    await save.click();
    await point.getByText('Answered differently on 2026-11-28 by Jane Doe: At most 5 lines.').waitFor();
    expect(await inspect(page, 'dashboard-open-points-answer')).toEqual([]);
  });
  expect(ok(await sandbox.control.GET('/open-points/answers'))).toEqual({
    answers: { 'OP-05': { answer: 'differs', by: 'Jane Doe', date: '2026-11-28', text: 'At most 5 lines.' } },
  });
});
