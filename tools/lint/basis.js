/** A rule of ours that redocly.yaml cannot express: `x-basis-of` names keywords of its own schema, and what each rests on. */
const basis = /^(stated( [A-Z]\d{1,2})+|OP-\d{2,3})$/;

function Keywords() {
  return {
    Schema(schema, { report, location }) {
      const bases = schema['x-basis-of'];
      if (bases === undefined) return;
      const wrong = Object.entries(Object(bases)).filter(
        ([keyword, text]) => !(keyword in schema) || !basis.test(text),
      );
      if (wrong.length === 0 && Object.keys(Object(bases)).length > 0) return;
      const message =
        'x-basis-of has keywords of this schema, each with `stated` and ids of docs/interface.md, or an id of docs/register.yaml.';
      report({ message, location: location.child('x-basis-of') });
    },
  };
}

/** The plugin, as Redocly loads it. */
export default () => ({ id: 'basis', rules: { oas3: { keywords: Keywords } } });
