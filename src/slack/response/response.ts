/** What other rooms use of response times. */
export { deadlineLine, listNudgedGroups, medianTimesText, responseRulesText } from './response-text.ts';
export {
  DEFAULT_RESPONSE_DAYS,
  MOST_RESPONSE_DAYS,
  readResponseLine,
  renderResponseTimes,
} from './response-times.ts';
