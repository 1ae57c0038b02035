/** Checks a widget against rules: `npx tsx examples/expressions/check-widget.ts '<spec as JSON>'`. */
import { compileRules, describeIssues, laterEnvironment } from 'kindforge/cel';
import type { Schema } from 'kindforge/contract';

const schema: Schema = {
  type: 'object',
  properties: {
    size: { type: 'string', maxLength: 10 },
    count: { type: 'integer' },
    colours: { type: 'array', maxItems: 8, items: { type: 'string', maxLength: 20 } },
  },
  'x-kubernetes-validations': [
    { rule: `self.size != 'large' || self.count <= 10` },
    { rule: `!has(self.colours) || self.colours.all(c, c.matches('^[a-z]+$'))` },
    { rule: 'self.weight > 0' },
  ],
};

const self: unknown = JSON.parse(process.argv[2] ?? '{}');
for (const { rule, outcome, cost } of compileRules(schema, laterEnvironment, { isResource: false })) {
  if (outcome.ok) {
    const found = outcome.expression.evaluate({ self });
    const answer = found.ok ? found.value : found.message;
    console.log(`${rule.rule}\n  ${answer} (cost ${found.cost}, at most ${cost})`);
  } else if ('failure' in outcome) {
    console.log(describeIssues(rule.rule, outcome.failure.issues));
  }
}
