/** Draws values over time. */
import type uPlot from 'uplot';

export interface Line {
  readonly label: string;
  /** One for each time; `undefined` is a gap. */
  readonly values: readonly (number | undefined)[];
  /** The name of a design token, such as `--series-1`. */
  readonly colour: string;
}

export interface Course {
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly textOf: (value: number) => string;
  /** Whether the axis has powers of two, as for bytes. */
  readonly isBinary?: boolean;
}

const height = 124;
const powersOfTwo = Array.from({ length: 50 }, (_, power) => 2 ** power);
/** A chart shows at least a minute. Otherwise the first values would fill it. */
const leastSeconds = 60;

/**
 * Loads the library, and makes a chart in the element. `onPoint` gets the index of the point at the crosshair, and
 * `undefined` once the crosshair is gone. All charts of the page share one crosshair.
 */
export async function drawChart(
  element: HTMLElement,
  course: Course,
  onPoint: (index: number | undefined) => void,
): Promise<uPlot> {
  const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  const style = getComputedStyle(element);
  // Returns a colour for the canvas. The canvas does not know `light-dark()`: the browser resolves it on an element.
  const colourOf = (name: string): string => {
    element.style.color = `var(${name})`;
    return style.color;
  };
  const axis = {
    stroke: colourOf('--text-faint'),
    grid: { stroke: colourOf('--border'), width: 1 },
    ticks: { show: false },
    font: `${style.fontSize} ${style.fontFamily}`,
  };
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    cursor: { y: false, points: { size: 6 }, drag: { setScale: false, x: false, y: false }, sync: { key: 'home' } },
    legend: { show: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    padding: [8, 16, 0, 0],
    scales: {
      x: { range: ({ data: [times] }) => rangeOf(times) },
      y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 20,
        values: (_plot, times, _axis, _space, step) => times.map(step < 60 ? timeText : minuteText),
      },
      {
        ...axis,
        ...(course.isBinary ? { incrs: powersOfTwo } : {}),
        size: 52,
        space: 32,
        values: (_plot, values) => values.map((value) => course.textOf(value)),
      },
    ],
    series: [
      {},
      ...course.lines.map(({ label, colour }) => ({
        label,
        stroke: colourOf(colour),
        width: 1.5,
        points: { show: false },
      })),
    ],
  };
  element.style.color = '';
  return new Plot(options, dataOf(course), element);
}

/** Returns the values in the form of the library. It draws a gap for `null`. */
export const dataOf = ({ times, lines }: Course): uPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => values.map((value) => value ?? null)),
];

/** Returns the time of day of a time in seconds since 1970. */
export const timeText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString([], { hourCycle: 'h23' });

const minuteText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function rangeOf(times: ArrayLike<number>): [from: number, to: number] {
  const last = times[times.length - 1] ?? 0;
  return [Math.min(times[0] ?? last, last - leastSeconds), last];
}
