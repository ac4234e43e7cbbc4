// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "ascendc/host_api/tiling/template_argument.h"

ASCENDC_TPL_ARGS_DECL(SumList, ASCENDC_TPL_DATATYPE_DECL(D_T, ASCENDC_TPL_INPUT(0)),
                      ASCENDC_TPL_BOOL_DECL(NEGATE, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T, ASCENDC_TPL_INPUT(0)),
                                     ASCENDC_TPL_BOOL_SEL(NEGATE, 0, 1)));
