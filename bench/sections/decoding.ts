import type { Bench } from '../bench.ts'
export async function measureDecoding(_bench: Bench): Promise<void> {}
