/** Files reach the page's server one at a time, each whole in memory. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
