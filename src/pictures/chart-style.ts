/** How every picture looks: its size, colours and type. Pure. */
import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption } from 'echarts/charts';
import type {
  GraphicComponentOption,
  GridComponentOption,
  VisualMapComponentOption,
} from 'echarts/components';
import type { ComposeOption } from 'echarts/core';

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | HeatmapSeriesOption
  | LineSeriesOption
  | GraphicComponentOption
  | GridComponentOption
  | VisualMapComponentOption
>;

/** What echarts draws, and how high the picture is in pixels. */
export interface EchartsChart {
  readonly option: ChartOption;
  readonly height: number;
}

/** Pixels: twice what Slack shows on a desktop. */
export const CHART_WIDTH = 1200;
export const CHART_MARGIN = 48;
export const CONTENT_RIGHT = CHART_WIDTH - CHART_MARGIN;

/** The family of the bundled files. */
export const FONT = 'Inter';
/** A phone shows the picture at 30 % of its size: what is smaller can't be read there. */
export const MIN_FONT_SIZE = 28;
export const SMALL_FONT_SIZE = 30;
export const LABEL_FONT_SIZE = 34;
const SUBTITLE = 32;
const TITLE = 52;

/** Light and opaque, so that dark ink reads on it in Slack's light mode and in its dark mode; blue against orange is safe for the colour-blind. */
export const CHART_COLORS = {
  background: '#F4F6FA',
  ink: '#17202E',
  muted: '#56606F',
  faint: '#DEE4ED',
  blue: '#0B5FA5',
  softBlue: 'rgba(11, 95, 165, 0.13)',
  orange: '#BF4A00',
} as const;

/** How wide Inter's bold letters are, measured in their size; the regular ones take a little less. */
const GLYPHS = [
  { of: /[ijlI.,:·'’|]/u, width: 0.3 },
  { of: /[ rtf/()-]/u, width: 0.4 },
  { of: /[A-Z0-9%mw<>]/u, width: 0.68 },
] as const;
const OTHER_GLYPH = 0.61;
const REGULAR = 0.95;

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly align?: 'left' | 'center' | 'right';
  /** Draws an edge in the background's colour, where lines may pass behind. */
  readonly halo?: boolean;
}

/** About how wide a text is drawn, in pixels; rather more than less. */
export function estimateTextWidth(
  words: string,
  { size, bold = false }: Pick<TextStyle, 'size' | 'bold'>,
): number {
  const widths = Array.from(words, (glyph) => GLYPHS.find(({ of }) => of.test(glyph))?.width ?? OTHER_GLYPH);
  return widths.reduce((sum, width) => sum + width, 0) * size * (bold ? 1 : REGULAR);
}

/** A line of text whose middle is at the height `y`; `x` is where it is aligned to. */
export function chartText(words: string, x: number, y: number, style: TextStyle) {
  const { size, bold = false, colour = CHART_COLORS.ink, align = 'left', halo = false } = style;
  return {
    type: 'text' as const,
    silent: true,
    z: 100,
    x,
    y,
    style: {
      text: words,
      // Each by itself: what draws the PNG does not read the short form.
      fontFamily: FONT,
      fontSize: size,
      fontWeight: bold ? ('bold' as const) : ('normal' as const),
      fill: colour,
      align,
      verticalAlign: 'middle' as const,
      ...(halo ? { stroke: CHART_COLORS.background, lineWidth: 10 } : {}),
    },
  };
}

/** The message of a picture and a line below it, at its top; a long one is set smaller, so that it stays in one line. */
export function chartHeading(title: string, subtitle: string) {
  const fitting = (words: string, size: number, bold: boolean) =>
    Math.max(
      MIN_FONT_SIZE,
      Math.min(
        size,
        Math.floor((size * (CONTENT_RIGHT - CHART_MARGIN)) / estimateTextWidth(words, { size, bold })),
      ),
    );
  return [
    chartText(title, CHART_MARGIN, 74, { size: fitting(title, TITLE, true), bold: true }),
    chartText(subtitle, CHART_MARGIN, 136, {
      size: fitting(subtitle, SUBTITLE, false),
      colour: CHART_COLORS.muted,
    }),
  ];
}

/** What all charts share: nothing moves, nothing is left to the browser's defaults. */
export const BASE_CHART_OPTION = {
  animation: false,
  backgroundColor: CHART_COLORS.background,
  textStyle: { fontFamily: FONT },
} as const;
