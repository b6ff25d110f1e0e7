// Scores a pair of y4m files with the default model and prints the mean and the lowest frame.
//
//   score_pair reference.y4m distorted.y4m
//
// With isometric installed: c++ -std=c++20 score_pair.cpp $(pkg-config --cflags --libs isometric) -o score_pair
#include <isometric/input.h>
#include <isometric/model.h>
#include <isometric/session.h>

#include <algorithm>
#include <cstdio>

using namespace isometric;

// Every call that can fail returns a Result or Status: a value, or an error with a code and a message.
static int fail(const Error& error) {
    std::fprintf(stderr, "score_pair: %s\n", error.message.c_str());
    return 1;
}

static Status score(FrameReader& reference, FrameReader& distorted, Session& session) {
    // Pictures come from a pool, which waits while all of them are in use: memory stays bounded when reading is faster than measuring.
    auto pool = PicturePool::create(reference.format(), 2 * (session.frames_held() + 1));
    if (!pool) return pool.error();
    for (;;) {
        Picture ref = pool->acquire();
        Picture dis = pool->acquire();
        const auto more_ref = reference.read(ref);
        if (!more_ref) return more_ref.error();
        const auto more_dis = distorted.read(dis);
        if (!more_dis) return more_dis.error();
        if (!*more_ref || !*more_dis) return session.finish();
        if (auto pushed = session.push(std::move(ref), std::move(dis)); !pushed) return pushed;
    }
}

int main(int argc, char** argv) {
    if (argc != 3) return fail({Code::invalid_argument, "usage: score_pair reference.y4m distorted.y4m"});
    auto reference = open_input(argv[1]);
    if (!reference) return fail(reference.error());
    auto distorted = open_input(argv[2]);
    if (!distorted) return fail(distorted.error());

    auto model = Model::builtin("vmaf_v0.6.1");
    if (!model) return fail(model.error());
    auto session = Session::create({});  // all cores
    if (!session) return fail(session.error());
    if (auto added = session->add_model(*model); !added) return fail(added.error());
    if (auto scored = score(**reference, **distorted, *session); !scored) return fail(scored.error());

    const auto mean = session->pooled("vmaf", Pooling::mean);
    if (!mean) return fail(mean.error());
    const Scores scores = session->scores();
    const auto& frames = scores.find("vmaf")->values;
    const auto lowest = std::min_element(frames.begin(), frames.end());
    std::printf("vmaf: %f, lowest %f at frame %d\n", *mean, lowest->value(), int(lowest - frames.begin()));
    return 0;
}
