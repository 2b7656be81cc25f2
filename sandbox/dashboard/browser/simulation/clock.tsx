import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api.ts';
import { dateTime, Facts } from '../figures.tsx';
import { Action, Field, type Fields, Form } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Note, Panel, Problem, Row } from '../parts.tsx';

type Ran = Schemas['Ran'];

const steps = [
  ['1 minute', 60],
  ['5 minutes', 300],
  ['1 hour', 3600],
  ['1 day', 86_400],
] as const;

/** Maximum number of jobs listed after a run. */
const most = 100;

/** The sandbox clock: the current time, and controls to advance it. */
export function Clock() {
  const { data, failure } = useFresh(async () => ({ clock: await ask(api.GET('/clock')), read: Date.now() }), []);
  const [ran, setRan] = useState<Ran>();
  const show = async (running: Promise<Ran>) => {
    const result = await running;
    setRan(result);
    return `${counted(result.ran)} ran. Sandbox time is ${dateTime(result.now)}.`;
  };
  const advance = (seconds: number) => show(ask(api.POST('/clock/advance', { body: { seconds } })));
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="columns">
        <div class="column">
          <Panel title="Sandbox time">
            {data && <Face clock={data.clock} read={data.read} />}
            <p class="quiet">
              {data?.clock.mode === 'frozen'
                ? 'The clock is frozen: jobs run when you advance it past their due times. Jobs that are due now run when you press Run due jobs.'
                : 'The clock is running: jobs run when they fall due. Advance it to jump ahead.'}{' '}
              The mode is fixed when a workspace is created:{' '}
              <a href="/dashboard/simulation?view=workspaces">create another</a>, or start the sandbox with{' '}
              <code>--clock frozen</code>.
            </p>
          </Panel>
          <Panel title="Advance clock">
            <div class="ways">
              {steps.map(([label, seconds]) => (
                <Action label={`Advance ${label}`} run={() => advance(seconds)} />
              ))}
              <Action label="Run due jobs" run={() => show(ask(api.POST('/settle')))} />
            </div>
            <Form title="Advance clock" label="Advance clock" run={({ seconds }: Fields) => advance(Number(seconds))}>
              <Field
                name="seconds"
                label="Advance by"
                unit="seconds of sandbox time"
                range={[0, 31_536_000]}
                value="2"
                required
              />
            </Form>
          </Panel>
        </div>
        <Panel title="Jobs that ran">
          {ran === undefined && (
            <Empty title="No jobs have run from here yet">Advance the clock or run due jobs.</Empty>
          )}
          {ran && <Note>{counted(ran.ran) + (ran.ran > most ? `, first ${most} shown` : '')}</Note>}
          <ol class="rows">
            {ran?.items.slice(0, most).map((job) => (
              <Row key={job.id} title={job.kind} detail={job.id} before={<Moment at={job.at} look="quiet" />} />
            ))}
          </ol>
          {ran !== undefined && ran.ran > 0 && <a href="/dashboard/traffic">View in Traffic</a>}
        </Panel>
      </div>
    </>
  );
}

/** The current sandbox time. It advances while the clock runs. */
function Face({ clock: { now, mode }, read }: { clock: Schemas['Clock']; read: number }) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (mode === 'frozen') return;
    const timer = setInterval(() => draw((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [mode]);
  const present = mode === 'frozen' ? now : new Date(Date.parse(now) + Date.now() - read).toISOString();
  return <Facts of={Object.entries({ Now: <Moment at={present} look="face" />, Mode: mode })} />;
}

function Moment({ at, look }: { at: string; look: string }) {
  return (
    <time class={look} datetime={at}>
      {dateTime(at)}
    </time>
  );
}

function counted(count: number) {
  return count === 1 ? '1 job' : `${count} jobs`;
}
