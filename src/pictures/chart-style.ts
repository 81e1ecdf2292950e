/** The common look of charts: size, colors and type. Pure. */
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

export interface EchartsChart {
  readonly option: ChartOption;
  readonly height: number;
}

/** Pixels: twice the size that Slack shows on a desktop. */
export const CHART_WIDTH = 1200;
export const CHART_MARGIN = 48;
export const CONTENT_RIGHT = CHART_WIDTH - CHART_MARGIN;

/** The family of the bundled files. */
export const CHART_FONT_FAMILY = 'Inter';
/** A phone shows the chart at 30% of its size, where smaller text is unreadable. */
export const MIN_FONT_SIZE = 28;
export const SMALL_FONT_SIZE = 30;
export const LABEL_FONT_SIZE = 34;
const SUBTITLE = 32;
const TITLE = 52;

/**
 * Light and opaque, so dark text stays readable in Slack's light and dark modes. Blue and orange are
 * colorblind-safe.
 */
export const CHART_COLORS = {
  background: '#F4F6FA',
  ink: '#17202E',
  muted: '#56606F',
  faint: '#DEE4ED',
  blue: '#0B5FA5',
  softBlue: 'rgba(11, 95, 165, 0.13)',
  orange: '#BF4A00',
} as const;

/** Widths of Inter's bold letters, relative to the font size; regular letters are slightly narrower. */
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
  /** Draws an outline in the background color, for text that lines may cross. */
  readonly halo?: boolean;
}

/** The approximate drawn width of a text in pixels; a high estimate. */
export function estimateTextWidth(
  words: string,
  { size, bold = false }: Pick<TextStyle, 'size' | 'bold'>,
): number {
  const widths = Array.from(words, (glyph) => GLYPHS.find(({ of }) => of.test(glyph))?.width ?? OTHER_GLYPH);
  return widths.reduce((sum, width) => sum + width, 0) * size * (bold ? 1 : REGULAR);
}

/** A line of text, vertically centered at `y` and aligned at `x`. */
export function chartTextElement(words: string, x: number, y: number, style: TextStyle) {
  const { size, bold = false, colour = CHART_COLORS.ink, align = 'left', halo = false } = style;
  return {
    type: 'text' as const,
    silent: true,
    z: 100,
    x,
    y,
    style: {
      text: words,
      // Separate properties: the PNG renderer ignores the `font` shorthand.
      fontFamily: CHART_FONT_FAMILY,
      fontSize: size,
      fontWeight: bold ? ('bold' as const) : ('normal' as const),
      fill: colour,
      align,
      verticalAlign: 'middle' as const,
      ...(halo ? { stroke: CHART_COLORS.background, lineWidth: 10 } : {}),
    },
  };
}

/** The chart's title and subtitle, at its top. Long text gets a smaller font to fit in one line. */
export function chartHeadingElements(title: string, subtitle: string) {
  const fitting = (words: string, size: number, bold: boolean) =>
    Math.max(
      MIN_FONT_SIZE,
      Math.min(
        size,
        Math.floor((size * (CONTENT_RIGHT - CHART_MARGIN)) / estimateTextWidth(words, { size, bold })),
      ),
    );
  return [
    chartTextElement(title, CHART_MARGIN, 74, { size: fitting(title, TITLE, true), bold: true }),
    chartTextElement(subtitle, CHART_MARGIN, 136, {
      size: fitting(subtitle, SUBTITLE, false),
      colour: CHART_COLORS.muted,
    }),
  ];
}

/** Options of all charts: no animation, no browser defaults. */
export const BASE_CHART_OPTION = {
  animation: false,
  backgroundColor: CHART_COLORS.background,
  textStyle: { fontFamily: CHART_FONT_FAMILY },
} as const;
