// Networks exported as TorchScript, run on host buffers. Every entry is noexcept and catches what LibTorch
// throws: an exception that crosses into Rust ends the process.
//
// The oneDNN-graph fuser's switch is a variable of each translation unit, so everything that uses it is here.

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/codegen/onednn/interface.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/passes/freeze_module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/profiling_graph_executor_impl.h>
#include <torch/version.h>

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct Exported {
  torch::jit::Module module;
  bool half;
};

// The first line of a message; LibTorch adds a stack trace below.
void report(const char *text, char *message, size_t size) {
  if (size == 0) {
    return;
  }
  text += std::strspn(text, "\n ");
  const char *end = std::strchr(text, '\n');
  size_t length = end ? static_cast<size_t>(end - text) : std::strlen(text);
  // A message that begins with an empty line or a heading alone says nothing: keep all of it.
  if (length < 40) {
    length = std::strlen(text);
  }
  length = std::min(length, size - 1);
  std::memcpy(message, text, length);
  message[length] = '\0';
}

template <typename Body>
bool guarded(char *message, size_t size, Body body) {
  try {
    body();
    return true;
  } catch (const std::exception &error) {
    report(error.what(), message, size);
  } catch (...) {
    report("an unknown exception", message, size);
  }
  return false;
}

// How logits of steps are made of the policy head's answer, see src/policy_head.rs.
struct PolicyForm {
  size_t squares;
  size_t planes;
  size_t cells_per_step;
  // 0: the logit is the sum of the cells.
  size_t pair_channels;
};

// Only what legal steps are made of is ever read.
template <typename Number>
void gather(const Number *policy, int64_t answered, const uint32_t *step_ends, const uint32_t *cells,
            const PolicyForm &form, float *logits) {
  const size_t limit = form.squares * form.planes;
  const size_t outputs = form.planes + 2 * form.pair_channels;
  size_t step = 0;
  for (int64_t row = 0; row < answered; ++row) {
    const Number *own = policy + static_cast<size_t>(row) * form.squares * outputs;
    for (; step < step_ends[row]; ++step) {
      float sum = 0.0f;
      size_t origin = SIZE_MAX, target = 0;
      for (size_t part = 0; part < form.cells_per_step; ++part) {
        const uint32_t cell = cells[step * form.cells_per_step + part];
        if (cell == UINT32_MAX) {
          continue;
        }
        TORCH_CHECK(cell < limit, "policy cell ", cell, " of row ", row, " is not below ", limit);
        if (form.pair_channels == 0) {
          sum += static_cast<float>(own[cell]);
          continue;
        }
        target = cell / form.planes;
        origin = origin == SIZE_MAX ? target : origin;
        sum += static_cast<float>(own[target * outputs + cell % form.planes]);
      }
      if (origin != SIZE_MAX) {
        const Number *from = own + origin * outputs + form.planes;
        const Number *to = own + target * outputs + form.planes + form.pair_channels;
        for (size_t channel = 0; channel < form.pair_channels; ++channel) {
          sum += static_cast<float>(from[channel]) * static_cast<float>(to[channel]);
        }
      }
      logits[step] = sum;
    }
  }
}

// What names of a script mean: `torch` is LibTorch's operations, `quantized` those on 8-bit numbers.
struct Operations : torch::jit::NativeResolver {
  std::shared_ptr<torch::jit::SugaredValue> resolveValue(const std::string &name, torch::jit::GraphFunction &function,
                                                         const torch::jit::SourceRange &place) override {
    if (name == "quantized") {
      return std::make_shared<torch::jit::BuiltinModule>("quantized");
    }
    return torch::jit::NativeResolver::resolveValue(name, function, place);
  }
};

// A convolution of stride 1 that keeps the size of the board, as oneDNN takes it for 8-bit numbers: weights of 7 bits
// and a sign with a scale for each output channel, the bias in 32 bits.
c10::IValue packed(const at::Tensor &weight, const at::Tensor &bias) {
  const at::Tensor scales = weight.abs().amax({1, 2, 3}).clamp_min(1e-20).div(127.0).to(at::kDouble);
  const at::Tensor bytes =
      at::quantize_per_channel(weight, scales, at::zeros_like(scales, at::kLong), 0, at::kQInt8);
  const int64_t border = weight.size(2) / 2;
  torch::jit::Stack stack{bytes,
                          bias,
                          c10::List<int64_t>{1, 1},
                          c10::List<int64_t>{border, border},
                          c10::List<int64_t>{1, 1},
                          int64_t{1}};
  c10::Dispatcher::singleton().findSchemaOrThrow("quantized::conv2d_prepack", "").callBoxed(stack);
  return stack.at(0);
}

void define(torch::jit::Module &module, const char *source, const char *const *names, const void *const *tensors,
            size_t count) {
  for (size_t index = 0; index < count; ++index) {
    module.register_buffer(names[index], *static_cast<const at::Tensor *>(tensors[index]));
  }
  module.define(source, std::make_shared<Operations>());
  module.eval();
}

} // namespace

extern "C" {

void garrison_prepare_process() noexcept {
  // oneDNN keeps up to 1024 compiled graphs of networks that are gone, each with its weights; a module holds its
  // own. It reads this when it compiles for the first time; who has set it, knows why.
  setenv("DNNL_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY", "0", 0);
  char message[1];
  // Each can be set once, before LibTorch's first parallel work; a second call throws and changes nothing.
  guarded(message, sizeof message, [] { at::set_num_interop_threads(1); });
}

void garrison_prepare_thread() noexcept {
  char message[1];
  guarded(message, sizeof message, [] {
    at::set_num_threads(1);
    at::globalContext().setFlushDenormal(true);
  });
}

// What LibTorch says of itself, a line each: version of its headers, file that was loaded, instruction set of its
// own kernels, threads of an operation, then how it was built.
void garrison_describe(char *text, size_t size) noexcept {
  char message[1];
  if (size == 0) {
    return;
  }
  text[0] = '\0';
  guarded(message, sizeof message, [&] {
    std::string lines = TORCH_VERSION;
    lines += '\n';
    Dl_info library;
    if (dladdr(reinterpret_cast<void *>(&at::show_config), &library) != 0 && library.dli_fname != nullptr) {
      lines += library.dli_fname;
    }
    lines += '\n' + at::get_cpu_capability() + '\n' + std::to_string(at::get_num_threads()) + '\n' + at::show_config();
    const size_t length = std::min(lines.size(), size - 1);
    std::memcpy(text, lines.data(), length);
    text[length] = '\0';
  });
}

// Automatic bf16 in this thread. Without the cache of converted weights, which all threads would share; each
// weight is used once a pass anyway.
void garrison_autocast(int enabled) noexcept {
  char message[1];
  guarded(message, sizeof message, [&] {
    at::autocast::set_autocast_cache_enabled(false);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, enabled != 0);
  });
}

// Callers make one after the other, since the switches are the process's. `packed_*` are convolutions on 8-bit
// numbers: a name for the script, weights and bias in 32 bits.
Exported *garrison_module_new(const char *source, const char *const *names, const void *const *tensors,
                              size_t count, const char *const *packed_names, const void *const *packed_weights,
                              const void *const *packed_biases, size_t packed_count, int fuse, int half,
                              char *message, size_t message_size) noexcept {
  Exported *exported = nullptr;
  guarded(message, message_size, [&] {
    torch::jit::RegisterLlgaFuseGraph::setEnabled(fuse != 0);
    // A module is run with calls of one shape.
    torch::jit::FusionStrategy strategy{{torch::jit::FusionBehavior::STATIC, 1}};
    torch::jit::setFusionStrategy(strategy);
    torch::jit::Module module("Net");
    if (packed_count > 0) {
      // Read where convolutions are packed, and again where one adds to a board.
      at::globalContext().setQEngine(at::kONEDNN);
    }
    for (size_t index = 0; index < packed_count; ++index) {
      const c10::IValue convolution = packed(*static_cast<const at::Tensor *>(packed_weights[index]),
                                             *static_cast<const at::Tensor *>(packed_biases[index]));
      module.register_attribute(packed_names[index], convolution.type(), convolution);
    }
    define(module, source, names, tensors, count);
    exported = new Exported{torch::jit::freeze_module(module), half != 0};
  });
  return exported;
}

// Not frozen: whoever loads it may move it to another device first.
int garrison_script_save(const char *source, const char *const *names, const void *const *tensors, size_t count,
                         const char *path, const char *about, char *message, size_t message_size) noexcept {
  const bool done = guarded(message, message_size, [&] {
    const torch::jit::ExtraFilesMap extra{{"garrison.json", about}};
    torch::jit::Module module("Net");
    define(module, source, names, tensors, count);
    module.save(path, extra);
  });
  return done ? 0 : 1;
}

void garrison_module_free(Exported *module) noexcept { delete module; }

int garrison_module_run(const Exported *exported, const float *planes, const int64_t *sizes, int64_t answered,
                        const uint32_t *step_ends, const uint32_t *cells, const PolicyForm *form, float *logits,
                        float *values, char *message, size_t message_size) noexcept {
  const bool done = guarded(message, message_size, [&] {
    at::NoGradGuard no_gradients;
    const int64_t rows = sizes[0], channels = sizes[1], height = sizes[2], width = sizes[3];
    // The buffer is [rows, height, width, channels]; these strides say so, and oneDNN likes that order.
    at::Tensor input = at::from_blob(const_cast<float *>(planes), {rows, channels, height, width},
                                     {channels * height * width, 1, channels * width, channels}, at::kFloat);
    if (exported->half) {
      input = input.to(at::kBFloat16);
    }
    // forward is not const, though a frozen module does not change.
    torch::jit::Module module = exported->module;
    std::vector<c10::IValue> inputs{input};
    const auto outputs = module.forward(std::move(inputs)).toTupleRef().elements().vec();
    const at::Tensor policy = outputs[0].toTensor().permute({0, 2, 3, 1}).contiguous();
    const at::Tensor result = outputs[1].toTensor().to(at::kFloat).contiguous();
    const at::Tensor margin = outputs[2].toTensor().to(at::kFloat).contiguous();
    const size_t all_cells = form->squares * (form->planes + 2 * form->pair_channels);
    TORCH_CHECK(static_cast<size_t>(policy.numel()) == static_cast<size_t>(rows) * all_cells &&
                    result.numel() == rows * 3 && margin.numel() == rows,
                "the network's answers have other shapes than expected");
    for (int64_t row = 0; row < answered; ++row) {
      std::memcpy(values + row * 4, result.const_data_ptr<float>() + row * 3, 3 * sizeof(float));
      values[row * 4 + 3] = margin.const_data_ptr<float>()[row];
    }
    if (policy.scalar_type() == at::kBFloat16) {
      gather(policy.const_data_ptr<at::BFloat16>(), answered, step_ends, cells, *form, logits);
    } else {
      gather(policy.const_data_ptr<float>(), answered, step_ends, cells, *form, logits);
    }
  });
  return done ? 0 : 1;
}

} // extern "C"
