/**
 * Expressions in CEL: validation rules of custom resources, and what admission policies say.
 *
 *   rules.ts         runs the rules of one node of a schema against a value
 *   check-rules.ts   what a CustomResourceDefinition is told about its rules
 *   expression.ts    expressions without a schema
 *   compile.ts       from text to closures; literal.ts, call.ts, select.ts, logic.ts and macros.ts are its parts
 *   scope.ts, frame.ts, cost.ts   variables while compiling and while running, and what running costs
 *   types.ts, schema-type.ts   what the checker knows; how it follows from a schema
 *   values.ts, convert.ts, compare.ts   what expressions compute with
 *   library/         the functions they may call
 *
 * The parser is @marcbachmann/cel-js. Types, evaluation and functions are ours: rules must be checked against schemas field by field,
 * count their steps, and fail with the words that users of Kubernetes know.
 */
export { compileRules, expressionLimit, objectBudget, type CompiledRules, type RuleBudget, type RuleFailure } from './rules.ts'
export { checkRuleExpressions, checkRuleTexts, checkRules, costText, isTotalTooHigh, type RuleContext } from './check-rules.ts'
export { compileExpression, type Expression } from './expression.ts'
export { CompileError, CostExceededError, EvaluationError } from './errors.ts'
export { findField } from './field-path.ts'
export { regularExpression } from './library/regex.ts'
