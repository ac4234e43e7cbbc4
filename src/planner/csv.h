// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PLANNER_CSV_H_
#define HOSTNPU_PLANNER_CSV_H_

#include <string>
#include <string_view>

#include "base/result.h"
#include "planner/problem.h"

namespace hostnpu::planner {

/// Reads the public form of planning problems:
///
///     id,lower,upper,size
///     x_tile,9,15,65536
///
/// The header names the columns, in any order: `id` (or `buffer`), `lower` (or `start`), `upper`
/// (or `end`), `size`, and optionally `alignment` and `offset` (an empty field: none). A row whose
/// id was seen before adds a stretch of life to that buffer. Empty lines are skipped, CR LF is
/// accepted. Errors name the line, the column and the text: "line 3: size is \"12x\", not a whole
/// number.".
base::Result<Problem> ReadCsv(std::string_view text);

/// Writes `id,lower,upper,size,offset` with one row per stretch of life; an `alignment` column is
/// added if a buffer needs one. ReadCsv reads it back: with the offsets as pins, as in a solved
/// problem.
std::string WriteCsv(const Problem& problem, const Plan& plan);

}  // namespace hostnpu::planner

#endif  // HOSTNPU_PLANNER_CSV_H_
