import { Resvg } from '@resvg/resvg-js';
import type { ChartImage } from '../../src/pictures/chart-renderer.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** How many pixels of the area differ from the chart's upper left corner: letters, lines, bars. */
  inked(area: Area): number;
  readonly isOpaque: boolean;
}

/** Decodes a PNG's pixels. */
export function readPixels({ png, width, height }: ChartImage): Pixels {
  const data = Buffer.from(png).toString('base64');
  const page =
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `width="${width}" height="${height}"><image width="${width}" height="${height}" ` +
    `xlink:href="data:image/png;base64,${data}"/></svg>`;
  const image = new Resvg(page).render();
  const bytes = image.pixels;
  const at = (x: number, y: number) => bytes.readUInt32BE((y * image.width + x) * 4);
  return {
    width: image.width,
    height: image.height,
    inked: (area) => {
      let count = 0;
      for (let y = area.y; y < area.y + area.height; y++)
        for (let x = area.x; x < area.x + area.width; x++) if (at(x, y) !== at(0, 0)) count++;
      return count;
    },
    isOpaque: bytes.every((byte, index) => index % 4 !== 3 || byte === 255),
  };
}
