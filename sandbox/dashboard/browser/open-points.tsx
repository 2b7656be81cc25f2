import { useState } from 'preact/hooks';
import { api, ask, askAndReport, jsonOrText, type Schemas } from './api.ts';
import { FilterChoice, Filters, ShowMore } from './filters.tsx';
import { Choice, Field, type Fields, Form, filled } from './forms.tsx';
import { useFresh } from './live.ts';
import { Marked, NoMatches, Note, Panel, Problem } from './parts.tsx';
import type { Route } from './route.ts';

type OpenPoint = Schemas['OpenPoint'];

/** Number of points shown initially, and added by each request for more. */
const step = 25;

const yesNo = { yes: 'Yes', no: 'No' } as const;

/** Open points of the interface, the calls that depend on them, and the other party's answers (OP-250, OP-251). */
export function OpenPoints({ route: { query } }: { route: Route }) {
  const { data, failure } = useFresh(() => ask(api.GET('/open-points')), []);
  const text = (query.get('q') ?? '').toLowerCase();
  const isWanted = (name: string, is: boolean) => {
    const wanted = query.get(name) ?? '';
    return wanted === '' || (wanted === 'yes') === is;
  };
  const wanted = (data?.items ?? []).filter(
    (point) =>
      isWanted('relied', point.kept + point.violated > 0) &&
      isWanted('blocks', point.blocks) &&
      isWanted('answered', point.answer !== undefined) &&
      `${point.id} ${point.title} ${point.question}`.toLowerCase().includes(text),
  );
  const rows = Number(query.get('rows') ?? step);
  return (
    <>
      <h1>Open points</h1>
      <p class="quiet">
        The interface leaves these points open. Your calls rely on some of the assumptions of the sandbox: ask the other
        side about those first, and write down the answers.
      </p>
      <Filters query={query} placeholder="OP-08, points, order">
        <FilterChoice query={query} name="relied" label="Relied on" titles={yesNo} />
        <FilterChoice query={query} name="blocks" label="Blocks going live" titles={yesNo} />
        <FilterChoice query={query} name="answered" label="Answered" titles={yesNo} />
      </Filters>
      {failure && <Problem failure={failure} />}
      {data && <Note>{`${wanted.length} of ${data.items.length} points`}</Note>}
      {data && wanted.length === 0 && <NoMatches href="/dashboard/open-points" />}
      {wanted.slice(0, rows).map((point) => (
        <Panel key={point.id} title={`${point.id}: ${point.title}`}>
          <Shown point={point} />
        </Panel>
      ))}
      {wanted.length > rows && <ShowMore rows={rows + step} />}
    </>
  );
}

function Shown({ point }: { point: OpenPoint }) {
  const { question, assumption, ask: next, blocks, violated, example, answer } = point;
  const [isEditing, setEditing] = useState(false);
  const calls = point.kept + violated;
  return (
    <>
      <p>
        <Marked text={question} />
      </p>
      <p>
        <strong>The sandbox:</strong> <Marked text={assumption} />
      </p>
      <p>
        <strong>Ask:</strong> <Marked text={next} />
      </p>
      <p class="quiet">
        {blocks && <span class="badge stuck">blocks going live</span>} {calls} {calls === 1 ? 'call' : 'calls'}
        {violated > 0 && `, ${violated} of them violate it`}
        {example?.trace && [
          ', for example ',
          <a href={`/dashboard/traffic?q=${example.trace}`}>{example.operation}</a>,
        ]}
      </p>
      <p>
        {answer === undefined
          ? 'Not answered.'
          : `${words[answer.answer]} on ${answer.date} by ${answer.by}${answer.text === undefined ? '' : `: ${answer.text}`}`}
      </p>
      <details onToggle={({ currentTarget }) => setEditing(currentTarget.open)}>
        <summary>
          Edit answer<span class="unseen"> to {point.id}</span>
        </summary>
        {isEditing && <AnswerForm point={point} />}
      </details>
    </>
  );
}

const words = { agreed: 'Agreed', settled: 'Settled', differs: 'Answered differently' } as const;

const choices = [
  ['agreed', 'The assumption holds'],
  ['differs', 'It differs'],
  ['settled', 'It holds with other settings'],
  ['', 'Not answered'],
] as const;

function AnswerForm({ point: { id, answer } }: { point: OpenPoint }) {
  const save = async ({ answer: word, value, ...rest }: Fields) => {
    const { answers } = await ask(api.GET('/open-points/answers'));
    const { [id]: _, ...others } = answers;
    const given = { answer: word, ...filled(rest), ...(value && { value: settingsOf(value) }) };
    const body = { answers: word === '' ? others : { ...others, [id]: given } } as Schemas['Answers'];
    return askAndReport(api.PUT('/open-points/answers', { body }), 'Saved.');
  };
  return (
    <Form title={`Answer to ${id}`} label="Save answer" what={`to ${id}`} run={save}>
      <Choice name="answer" label="Answer" options={choices} value={answer?.answer ?? 'agreed'} />
      <Field name="by" label="Answered by" value={answer?.by} maxLength={100} />
      <Field name="date" label="On" type="date" value={answer?.date} />
      <Field name="link" label="Link" type="url" value={answer?.link} maxLength={500} />
      <Field name="text" label="Text" rows={2} value={answer?.text} maxLength={1000}>
        Required if it differs.
      </Field>
      <Field name="value" label="Settings" rows={2} value={answer?.value && linesOf(answer.value)}>
        Only if it holds with other settings, one per line, such as rate_limit: 500.
      </Field>
    </Form>
  );
}

/** Parses settings, one per line: a name, a colon and a JSON value. A value that is not JSON is a string. */
function settingsOf(text: string): Record<string, unknown> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const settings = lines.map((line) => {
    const [name = '', ...rest] = line.split(':');
    return [name.trim(), jsonOrText(rest.join(':').trim())];
  });
  return Object.fromEntries(settings);
}

function linesOf(value: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(value).map(([name, each]) => `${name}: ${JSON.stringify(each)}`);
  return lines.join('\n');
}
