/**
 * Maintenance windows: silences of Alertmanager for the time in which alerts are expected. `silence.ts` tells what a silence is and whose,
 * `maintenance.ts` which ones to make and to end.
 */
export { type Attempt, controlPlaneWindow, endAllWindows, endWindow, type WindowKind, windowWords, workerWindow } from './maintenance.ts'
export { hasActiveSilence, isByUs, isLive, type Matcher, type NewSilence, type Silence } from './silence.ts'
