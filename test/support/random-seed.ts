/** Makes every run use the same random examples, so that a failure is due to a change and not to chance. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.KINDFORGE_SEED ?? 20_231) });
