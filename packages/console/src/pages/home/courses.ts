/** The charts of the home page. */
import { bytesText, round, secondsText } from '../../metrics/amounts.js';
import type { Quantiles } from '../../metrics/histogram.js';
import type { Point } from '../../metrics/readings.js';
import type { Course } from './chart.js';

export interface NamedCourse {
  readonly title: string;
  readonly course: Course;
}

type Values = readonly (readonly [label: string, valueOf: (point: Point) => number | undefined])[];

const perSecond = (value: number): string => `${round(value)}/s`;

/** Returns the charts for which the server has metrics. `verb` chooses the latencies; empty for all. */
export function coursesOf(points: readonly Point[], verb: string): readonly NamedCourse[] {
  const latency =
    (name: keyof Quantiles) =>
    (point: Point): number | undefined =>
      point.latency.get(verb)?.[name];
  const has = (name: 'lagP50' | 'changes' | 'cpu'): boolean =>
    points.length === 0 || points.some((point) => point[name] !== undefined);
  const courses: readonly (readonly [title: string, textOf: Course['textOf'], values: Values])[] = [
    ['Requests', perSecond, requestLines(points)],
    [
      'Latency',
      secondsText,
      [
        ['p50', latency('p50')],
        ['p90', latency('p90')],
        ['p99', latency('p99')],
      ],
    ],
    [
      'Watches',
      round,
      [
        ['Open', ({ watches }) => watches],
        ['Events each second', ({ events }) => events],
      ],
    ],
    ...(has('changes') ? [['Changes stored', perSecond, [['All', ({ changes }: Point) => changes]]] as const] : []),
    has('lagP50')
      ? [
          'Event loop delay',
          secondsText,
          [
            ['p50', ({ lagP50 }) => lagP50],
            ['p99', ({ lagP99 }) => lagP99],
          ],
        ]
      : ['Processor', (busy) => `${round(busy * 100)} %`, [['Busy', ({ cpu }) => cpu]]],
    ['Memory', bytesText, [['Resident', ({ memory }) => memory]]],
  ];
  return courses.map(([title, textOf, values]) => ({
    title,
    course: {
      times: points.map(({ at }) => at),
      lines: values.map(([label, value], index) => ({
        label,
        values: points.map(value),
        colour: `--series-${index + 1}`,
      })),
      textOf,
      isBinary: textOf === bytesText,
    },
  }));
}

const classNames: Readonly<Record<string, string>> = { 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' };

/** Returns a line for each class of codes. Leaves out redirects until there is one, because they are rare. */
const requestLines = (points: readonly Point[]): Values =>
  Object.entries(classNames)
    .filter(([code]) => code !== '3' || points.some(({ requests }) => (requests.get(code) ?? 0) > 0))
    .map(([code, name]) => [name, ({ requests }) => (requests.size === 0 ? undefined : (requests.get(code) ?? 0))]);
