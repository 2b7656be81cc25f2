/** A lint rule that redocly.yaml cannot express. `x-basis-of` must name keywords of its own schema, each with a valid basis. */
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

/** The plugin in the format that Redocly loads. */
export default () => ({ id: 'basis', rules: { oas3: { keywords: Keywords } } });
