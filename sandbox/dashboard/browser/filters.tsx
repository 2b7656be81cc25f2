/** The search form above a list. Its values are in the address, so a link or a reload shows the same rows. */
import type { ComponentChildren } from 'preact';
import { Choice } from './forms.tsx';
import { go, withQuery } from './route.ts';

/** Writes the value of a field to the address, and resets the list to its first rows. */
const change = (name: string, value: string) => go(withQuery({ [name]: value, rows: undefined }), { replace: true });

interface FiltersProps {
  query: URLSearchParams;
  placeholder: string;
  label?: string;
  name?: string;
  maxlength?: number;
  children?: ComponentChildren;
}

/** A search field, followed by further fields. `name` is the query parameter. */
export function Filters({ query, label = 'Find', name = 'q', children, ...attributes }: FiltersProps) {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="field grow">
        <span>{label}</span>
        <input
          type="search"
          name={name}
          value={query.get(name) ?? ''}
          onInput={({ currentTarget }) => change(name, currentTarget.value)}
          {...attributes}
        />
      </label>
      {children}
    </form>
  );
}

interface FilterChoiceProps {
  query: URLSearchParams;
  name: string;
  label: string;
  titles: Readonly<Record<string, string>>;
  all?: string;
}

/** A selection of one value by its title, or of all values. */
export function FilterChoice({ query, name, label, titles, all = 'All' }: FilterChoiceProps) {
  const options = [['', all] as const, ...Object.entries(titles)];
  const choose = (value: string) => change(name, value);
  return <Choice name={name} label={label} options={options} value={query.get(name) ?? ''} change={choose} />;
}

/** A link that shows more rows of a list. */
export function ShowMore({ rows }: { rows: number }) {
  return (
    <p class="ways">
      <a class="button quiet" href={withQuery({ rows })}>
        Show more
      </a>
    </p>
  );
}
