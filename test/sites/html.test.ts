/** Tests that values inserted into page templates always stay text. */
import { expect, test } from 'vitest';
import { document, html } from '../../sandbox/sites/site.ts';

const hostile = `<script>alert("1")</script> & 'more'`;

test('a value becomes text, and in an attribute the value of that attribute, never markup', () => {
  expect(document(html`<p title=${hostile}>${hostile}</p>`)).toBe(
    '<!doctype html><p title="&lt;script>alert(&quot;1&quot;)&lt;/script> &amp; \'more\'">' +
      "&lt;script>alert(&quot;1&quot;)&lt;/script> &amp; 'more'</p>",
  );
});

test('the markup of the template itself stays markup', () => {
  expect(document(html`<ul>${['a', 'b'].map((name) => html`<li>${name}</li>`)}</ul>`)).toBe(
    '<!doctype html><ul><li>a</li><li>b</li></ul>',
  );
});
