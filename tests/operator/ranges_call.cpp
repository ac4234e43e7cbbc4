// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls operators whose output is a list of tensors, with an attribute that is a list of lists: in
// one call, and by their aclnn functions. Prints one line a check that failed; the exit code is how
// many.
#include <vector>

#include "acl/acl.h"
#include "aclnn_take_ranges.h"
#include "check.h"
#include "hostnpu/operator.h"

namespace {

using Lists = std::vector<std::vector<int64_t>>;
using Bools = std::vector<bool>;

std::vector<float> Numbers(int count) {
  std::vector<float> x;
  for (int i = 0; i < count; ++i) x.push_back(static_cast<float>(i * i + 1));
  return x;
}

/// Whether `z` is x[begin, end), times `sign`.
bool IsRange(const hostnpu::Tensor& z, const std::vector<float>& x, int64_t begin, int64_t end,
             float sign) {
  if (z.shape() != std::vector<int64_t>{end - begin}) return false;
  const std::vector<float> values = z.ToVector<float>();
  for (int64_t k = begin; k < end; ++k) {
    if (values[k - begin] != sign * x[k]) return false;
  }
  return true;
}

void OneCall() {
  const std::vector<float> x = Numbers(100);
  hostnpu::Operator take("TakeRanges");
  take.Set("ranges", Lists{{3, 7}, {0, 100}, {64, 65}}).Outputs("z", 3);
  take.Set("negate", Bools{false, true, false});
  auto three = take.Call({x});
  Check(three.ok() && three->size() == 3, "three outputs of different shapes");
  if (!three.ok()) return void(Says(three.error().message, "nothing"));
  Check(IsRange((*three)[0], x, 3, 7, 1), "the first output");
  Check(IsRange((*three)[1], x, 0, 100, -1), "the second output");
  Check(IsRange((*three)[2], x, 64, 65, 1), "the third output");

  hostnpu::Operator one("TakeRanges");
  auto single = one.Outputs("z", 1)(x);
  Check(single.ok() && IsRange(*single, x, 0, 2, 1), "a list of one, and the default lists");
  auto with_empty = one.Set("ranges", Lists{{5, 5}, {1, 3}}).Outputs("z", 2).Call({x});
  Check(with_empty.ok() && (*with_empty)[0].size_bytes() == 0 &&
            IsRange((*with_empty)[1], x, 1, 3, 1),
        "an output without elements in a list");

  Check(Says(take.Outputs("z", 0).Call({x}).error().message,
             "Output \"z\" of TakeRanges is to be a list of 0 tensors; it may have 1 to 4096"),
        "an empty list");
  Check(Says(hostnpu::Operator("TakeRanges").Call({x}).error().message, "Outputs(\"z\", count)"),
        "a list whose length nothing tells");
  Check(Says(take.Outputs("z", 3).Outputs("q", 1).Call({x}).error().message,
             "no output \"q\" that is a list"),
        "the length of an output that is not there");
  Check(Says(hostnpu::Operator("TakeRanges").Outputs("z", 2).Call({x}).error().message,
             "shape inference of TakeRanges failed"),
        "a length that the operator does not give");
  hostnpu::Operator wrong("TakeRanges");
  wrong.Outputs("z", 1).Set("ranges", std::vector<int64_t>{0, 2});
  Check(Says(wrong(x).error().message, "Attribute \"ranges\" is a list of lists of integers"),
        "a list where lists are wanted");
}

void Following() {
  hostnpu::Operator twice("TwiceEach");
  const auto a = hostnpu::Tensor::From(std::vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
  const auto b = hostnpu::Tensor::From(std::vector<float>{7}, {1, 1});
  auto both = twice.Call({std::vector<hostnpu::Tensor>{*a, *b}});
  Check(both.ok() && both->size() == 2 && (*both)[0].shape() == std::vector<int64_t>({2, 3}) &&
            (*both)[0].ToVector<float>()[5] == 12 && (*both)[1].ToVector<float>()[0] == 14,
        "a list that follows the input list");
  auto one = twice(std::vector<hostnpu::Tensor>{*b});
  Check(one.ok() && one->ToVector<float>()[0] == 14, "a list of one that follows a list of one");
  Check(Says(twice.Outputs("y", 3).Call({std::vector<hostnpu::Tensor>{*a, *b}}).error().message,
             "Nothing tells the shape of output \"y[2]\""),
        "more outputs than the input list has tensors");
}

aclTensor* TensorOf(std::vector<float> values, void** data) {
  const int64_t dims[] = {static_cast<int64_t>(values.size())};
  const size_t bytes = values.size() * sizeof(float);
  aclrtMalloc(data, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(*data, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  return Keep(aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, *data));
}

void Functions(aclrtStream stream) {
  void* data[3];
  aclTensor* x = TensorOf(Numbers(50), &data[0]);
  const aclTensor* outputs[] = {TensorOf({0, 0, 0}, &data[1]), TensorOf({0}, &data[2])};
  aclTensorList* z = Keep(aclCreateTensorList(outputs, 2));
  const int64_t values[] = {10, 13, 49, 50};
  const bool flags[] = {true, false};
  const aclIntArray* ranges[] = {Keep(aclCreateIntArray(values, 2)),
                                 Keep(aclCreateIntArray(values + 2, 2))};
  const aclIntArray* holes[] = {ranges[0], nullptr};
  aclBoolArray* negate = Keep(aclCreateBoolArray(flags, 2));
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclIntArray* const* lists, uint64_t count) {
    return aclnnTakeRangesGetWorkspaceSize(x, lists, count, negate, z, &bytes, &executor);
  };
  Check(plan(ranges, 2) == 0 && aclnnTakeRanges(nullptr, 0, executor, stream) == 0 &&
            aclrtSynchronizeStream(stream) == 0,
        "functions with lists of lists run");
  float first[3];
  float second = 0;
  aclrtMemcpy(first, sizeof(first), data[1], sizeof(first), ACL_MEMCPY_DEVICE_TO_HOST);
  aclrtMemcpy(&second, sizeof(second), data[2], sizeof(second), ACL_MEMCPY_DEVICE_TO_HOST);
  Check(first[0] == -101 && first[2] == -145 && second == 2402, "their results");
  Check(plan(holes, 2) == ACLNN_ERR_PARAM_NULLPTR && Says("Attribute \"ranges[1]\""),
        "a hole in a list of lists is refused by its index");
  Check(plan(ranges, 1) != 0 && Says("shape inference of TakeRanges failed"),
        "fewer lists than outputs");
}

}  // namespace

int main() {
  aclrtStream stream = nullptr;
  Check(aclnnInit(nullptr) == 0 && aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0,
        "the device starts");
  OneCall();
  Following();
  Functions(stream);
  return Finish();
}
